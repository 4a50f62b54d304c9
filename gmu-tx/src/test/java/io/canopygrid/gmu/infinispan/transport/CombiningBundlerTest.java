package io.canopygrid.gmu.infinispan.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FORK;
import org.jgroups.protocols.TP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.AsciiString;
import org.jgroups.util.Bits;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CombiningBundlerTest {
  private final Address other = UUID.randomUUID();
  private final Network network = new Network();
  private final CombiningBundler bundler = new CombiningBundler();

  @BeforeEach
  void start() throws Exception {
    network.getThreadPool().init();
    bundler.init(network);
    bundler.start();
  }

  @AfterEach
  void stop() {
    bundler.stop();
    network.getThreadPool().destroy();
  }

  @Test
  void whoHasAMessageOfCanopysSendsIt() {
    bundler.send(canopys(1));

    assertEquals(List.of(List.of(1)), network.pieces);
    assertEquals(List.of(Thread.currentThread()), network.senders);
  }

  @Test
  void whoMustNotWaitLeavesItToThePool() throws Exception {
    bundler.send(canopys(1).setFlag(Message.TransientFlag.DONT_BLOCK));
    bundler.send(message(2));

    network.awaitMessages(2);
    network.senders.forEach(sender -> assertNotEquals(Thread.currentThread(), sender));
  }

  @Test
  void whoComesWhileAnotherSendsWaitsForNothing() throws Exception {
    network.close();
    Thread stuck = new Thread(() -> bundler.send(canopys(0)));
    stuck.start();
    network.awaitSender();

    IntStream.rangeClosed(1, 5).forEach(number -> bundler.send(canopys(number)));
    assertEquals(6, bundler.size());
    network.open();
    stuck.join();

    assertEquals(List.of(List.of(0), List.of(1, 2, 3, 4, 5)), network.pieces);
    assertEquals(List.of(stuck, stuck), network.senders);
    assertEquals(0, bundler.size());
  }

  @Test
  void whatDoesNotFitIntoOnePieceIsSentInSeveral() throws Exception {
    bundler.setMaxSize(1000);
    network.close();
    Thread stuck = new Thread(() -> bundler.send(canopys(0)));
    stuck.start();
    network.awaitSender();

    IntStream.rangeClosed(1, 80).forEach(number -> bundler.send(canopys(number, 200)));
    network.open();
    stuck.join();
    network.awaitMessages(81);

    assertEquals(IntStream.rangeClosed(0, 80).boxed().toList(), network.messages());
    network.pieces.forEach(piece -> assertTrue(piece.size() < 5, () -> "too large: " + piece));
    // The stuck thread had work of its own, so the pool sent the rest.
    assertTrue(network.senders.stream().anyMatch(sender -> !sender.equals(stuck)));
  }

  @Test
  void whatComesWhenTheQueueIsFullIsDropped() throws Exception {
    bundler.setCapacity(3);
    network.close();
    Thread stuck = new Thread(() -> bundler.send(canopys(0)));
    stuck.start();
    network.awaitSender();

    IntStream.rangeClosed(1, 5).forEach(number -> bundler.send(canopys(number)));
    network.open();
    stuck.join();

    assertEquals(List.of(0, 1, 2), network.messages());
  }

  @Test
  void whatAPieceOfWorkSendsLeavesInOnePiece() {
    CombiningBundler.inOnePiece(() -> {
      bundler.send(canopys(1));
      bundler.send(canopys(2));
      assertEquals(List.of(), network.pieces);
    });
    bundler.send(canopys(3));

    assertEquals(List.of(List.of(1, 2), List.of(3)), network.pieces);
  }

  @Test
  void whatFailsIsNotInTheWayOfWhatComesNext() {
    network.isDown = true;
    bundler.send(canopys(1));
    network.isDown = false;
    bundler.send(canopys(2));

    assertEquals(List.of(List.of(2)), network.pieces);
  }

  @Test
  void ofManyThreadsEachMessageIsSentOnce() throws Exception {
    int threads = 8;
    int each = 5_000;
    bundler.setCapacity(threads * each);
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int first = t * each;
      Thread thread =
          new Thread(() -> {
            for (int number = first; number < first + each; number++) {
              Message message = number % 10 == 0 ? message(number) : canopys(number);
              if (number % 3 == 0) {
                CombiningBundler.inOnePiece(() -> bundler.send(message));
              } else {
                bundler.send(message);
              }
            }
          });
      running.add(thread);
      thread.start();
    }
    for (Thread thread : running) {
      thread.join();
    }

    network.awaitMessages(threads * each);
    assertEquals(
        IntStream.range(0, threads * each).boxed().toList(),
        network.messages().stream().sorted().toList());
    assertEquals(1, network.sendersAtOnce.get());
  }

  private Message canopys(int number) {
    return canopys(number, Integer.BYTES);
  }

  private Message canopys(int number, int bytes) {
    return message(number, bytes)
        .putHeader(
            ClassConfigurator.getProtocolId(FORK.class), new FORK.ForkHeader("canopy", "grid"));
  }

  private Message message(int number) {
    return message(number, Integer.BYTES);
  }

  private Message message(int number, int bytes) {
    byte[] body = new byte[bytes];
    Bits.writeInt(number, body, 0);
    return new BytesMessage(other, body).setFlag(Message.Flag.OOB, Message.Flag.NO_FC);
  }

  /** Notes who sends which messages, can be closed for a while, and can be down. */
  private static final class Network extends TP {
    private final List<List<Integer>> pieces = new ArrayList<>();
    private final List<Thread> senders = new ArrayList<>();
    private final AtomicInteger sending = new AtomicInteger();
    private final AtomicInteger sendersAtOnce = new AtomicInteger();
    private volatile boolean isDown;
    private volatile CountDownLatch opened = new CountDownLatch(0);
    private final CountDownLatch arrived = new CountDownLatch(1);

    Network() {
      local_addr = UUID.randomUUID();
      cluster_name = new AsciiString("test");
    }

    void close() {
      opened = new CountDownLatch(1);
    }

    void open() {
      opened.countDown();
    }

    void awaitSender() throws InterruptedException {
      assertTrue(arrived.await(10, TimeUnit.SECONDS));
    }

    List<Integer> messages() {
      synchronized (pieces) {
        return pieces.stream().flatMap(List::stream).toList();
      }
    }

    void awaitMessages(int count) throws InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      synchronized (pieces) {
        for (long left = 60_000; left > 0 && messages().size() < count; ) {
          pieces.wait(left);
          left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
      }
      assertEquals(count, messages().size());
    }

    @Override
    public void doSend(byte[] bytes, int offset, int length, Address to) throws Exception {
      if (isDown) {
        throw new IOException("down");
      }
      sendersAtOnce.accumulateAndGet(sending.incrementAndGet(), Math::max);
      arrived.countDown();
      opened.await();
      List<Integer> piece = numbers(bytes, offset, length);
      synchronized (pieces) {
        pieces.add(piece);
        senders.add(Thread.currentThread());
        pieces.notifyAll();
      }
      sending.decrementAndGet();
    }

    private static List<Integer> numbers(byte[] bytes, int offset, int length) throws Exception {
      List<Integer> numbers = new ArrayList<>();
      ByteArrayDataInputStream in = new ByteArrayDataInputStream(bytes, offset, length);
      in.readShort();
      if ((in.readByte() & LIST) == LIST) {
        for (MessageBatch batch : Util.readMessageBatch(in, false)) {
          if (batch != null) {
            batch.forEach(message -> numbers.add(number(message)));
          }
        }
      } else {
        numbers.add(number(Util.readMessage(in)));
      }
      return numbers;
    }

    private static int number(Message message) {
      return Bits.readInt(message.getArray(), message.getOffset());
    }

    @Override
    public boolean supportsMulticasting() {
      return false;
    }

    @Override
    public void sendUnicast(PhysicalAddress to, byte[] bytes, int offset, int length) {}

    @Override
    protected PhysicalAddress getPhysicalAddress() {
      return new IpAddress(1);
    }
  }
}
