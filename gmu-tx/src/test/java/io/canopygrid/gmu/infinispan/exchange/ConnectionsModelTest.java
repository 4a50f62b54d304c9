package io.canopygrid.gmu.infinispan.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.canopygrid.gmu.Interleavings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All interleavings of a few calls of {@link Connections} and {@link GridConnections}, tried by
 * Lincheck.
 */
@Tag("model")
final class ConnectionsModelTest {
  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  @Test
  void aConnectionIsUsedByOneThreadAndStaysOpenForIt() {
    Interleavings.check(Using.class);
  }

  @Test
  void noMoreAreOpenedThanMayBe() {
    Interleavings.checkFirstCalls(Opening.class);
  }

  @Test
  void noneIsOpenAfterTheEnd() {
    Interleavings.check(Closing.class);
  }

  @Test
  void noneOfAGridIsOpenAfterItsEnd() {
    Interleavings.check(Grid.class);
  }

  private static boolean isRun(Runnable task) {
    task.run();
    return true;
  }

  private static long later() {
    return System.nanoTime() + LONG_NANOS;
  }

  /**
   * Threads that use connections, and one that ends idle ones. The clock of these models stands
   * still: Lincheck gives the threads, but not the model's constructor, a time of its own. One by
   * one every operation returns true. Is meant to find connections that are looked at before they
   * are removed, and idle ones that are ended although a thread has taken them.
   */
  public static final class Using {
    private final OpenedConnections opened = new OpenedConnections();
    private final Connections connections =
        new Connections(2, opened::open, ConnectionsModelTest::isRun, () -> 0);

    /** Uses a connection and gives it back. */
    @Operation
    public boolean use() {
      BlockingConnection connection = connections.take();
      if (connection == null) {
        return true;
      }
      boolean right = opened.isUsedAlone(connection) && opened.isOpen(connection);
      connections.giveBack(connection);
      return right;
    }

    /** Uses a connection and drops it. */
    @Operation
    public boolean drop() {
      BlockingConnection connection = connections.take();
      if (connection == null) {
        return true;
      }
      boolean right = opened.isUsedAlone(connection) && opened.isOpen(connection);
      connections.drop(connection);
      return right;
    }

    /** Ends idle connections. */
    @Operation(nonParallelGroup = "look")
    public void look() {
      connections.look(LONG_NANOS);
    }
  }

  /**
   * Threads that want a connection where there may be one. Is meant to find a count that is made
   * before another thread has opened one, and is not made again.
   */
  public static final class Opening {
    private final OpenedConnections opened = new OpenedConnections();
    private final Connections connections =
        new Connections(1, opened::open, ConnectionsModelTest::isRun, () -> 0);

    /** Takes a connection, which is not given back. */
    @Operation
    public void take() {
      connections.take();
    }

    /** There is one, and not more. */
    @Validate
    public void isOne() {
      assertEquals(1, opened.count());
    }
  }

  /**
   * Threads that use connections until the end comes. Is meant to find a connection that is opened
   * while all are ended, and stays open.
   */
  public static final class Closing {
    private final OpenedConnections opened = new OpenedConnections();
    private final Connections connections =
        new Connections(2, opened::open, ConnectionsModelTest::isRun, () -> 0);
    private volatile boolean closed;

    /** Uses a connection and gives it back. */
    @Operation
    public void use() {
      BlockingConnection connection = connections.take();
      if (connection != null) {
        connections.giveBack(connection);
      }
    }

    /** Uses a connection and drops it. */
    @Operation
    public void drop() {
      BlockingConnection connection = connections.take();
      if (connection != null) {
        connections.drop(connection);
      }
    }

    /** Ends all. */
    @Operation
    public void close() {
      connections.close();
      closed = true;
    }

    /** None is left. */
    @Validate
    public void noneIsOpen() {
      if (!closed) {
        connections.close();
      }
      assertEquals(0, opened.openCount());
    }
  }

  /**
   * One member of a grid, which may leave, and the grid's end. Is meant to find a pool of
   * connections that is made while the grid ends, and stays open.
   */
  public static final class Grid {
    private static final Address MEMBER = new UUID(0, 1);

    private final OpenedConnections opened = new OpenedConnections();
    private final GridConnections grid = new GridConnections("g", new One(), new Nowhere());
    private volatile boolean present = true;
    private volatile boolean closed;

    private final class One implements GridConnections.Members {
      @Override
      public boolean isMember(Address address) {
        return present;
      }

      @Override
      public boolean arrives(Address from) {
        return true;
      }

      @Override
      public BlockingConnection open(Address to, String name) throws IOException {
        return opened.open();
      }

      @Override
      public boolean isRun(Runnable task) {
        return ConnectionsModelTest.isRun(task);
      }
    }

    /** Uses a connection and gives it back. */
    @Operation
    public void use() {
      BlockingConnection connection = grid.take(MEMBER);
      if (connection != null) {
        grid.giveBack(MEMBER, connection);
      }
    }

    /** Uses a connection and drops it. */
    @Operation
    public void drop() {
      BlockingConnection connection = grid.take(MEMBER);
      if (connection != null) {
        grid.drop(MEMBER, connection);
      }
    }

    /** The member leaves, and its connections are ended. */
    @Operation(nonParallelGroup = "look")
    public void left() {
      present = false;
      grid.look(later());
    }

    /** Ends the grid. */
    @Operation
    public void close() {
      grid.close();
      closed = true;
    }

    /** None is left. */
    @Validate
    public void noneIsOpen() {
      if (!closed) {
        grid.close();
      }
      assertEquals(0, opened.openCount());
    }
  }

  private static final class Nowhere implements ExchangeChannel {
    @Override
    public void received(Address from, byte[] bytes, int offset, int length) {}

    @Override
    public void send(Address to, ByteBuffer message) {}
  }
}
