package io.canopygrid.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.canopygrid.BranchId;
import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyXaResource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.junit.CanopyGrid;
import io.canopygrid.junit.CanopyTest;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Transfers of money from Canopy to PostgreSQL, each of whose transaction managers dies at one of
 * its steps, and with it at times a node of Canopy. A recovery ends what is in doubt by the log of
 * the decisions. Beside it others move money within Canopy.
 */
@NullUnmarked // bodies return null
@CanopyTest(nodes = 3, onDisk = true)
@Timeout(900)
final class CrashPointsTest {
  /** The number of transfers, each with a death at one of {@link #STEPS}. */
  private static final int POINTS = Integer.getInteger("canopy.crash.points", 130);

  /** Of so many transfers one has the death of a node with it. */
  private static final int NODE_DEATH_ONE_IN = 20;

  private static final int STEPS = 13;
  private static final int ACCOUNTS = 60;
  private static final long MONEY = 1_000;
  private static final int FORMAT = 77;
  private static final long SEED = 20_270_101;

  /** The ids of what was decided to be committed: the log of the transaction managers. */
  private final Set<Integer> log = new HashSet<>();

  private final AtomicInteger heuristics = new AtomicInteger();
  private final Random random = new Random(SEED);
  private int died;
  private int refused;
  private int killed;

  /** The transaction manager ends here. */
  private static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static Index<Long, Long> accounts(Canopy db) {
    return db.index(
        "accounts", Codec.int64(), Codec.int64(), IndexOptions.DEFAULTS.withSubtreeEntriesMax(8));
  }

  private static Index<Long, Long> transfers(Canopy db) {
    return db.index(
        "transfers", Codec.int64(), Codec.int64(), IndexOptions.DEFAULTS.withSubtreeEntriesMax(32));
  }

  @Test
  void everyTransferHappensOnBothSidesOrOnNone(CanopyGrid grid) throws Exception {
    PostgresServer server = PostgresServer.start();
    assumeTrue(server != null, "there is no PostgreSQL here");
    try (PostgresServer postgres = Objects.requireNonNull(server)) {
      fill(grid, postgres);
      AtomicBoolean goesOn = new AtomicBoolean(true);
      AtomicInteger moved = new AtomicInteger();
      Thread beside = new Thread(() -> moveBeside(grid, goesOn, moved));
      beside.start();
      int committed = 0;
      for (int number = 0; number < POINTS; number++) {
        new Transfer(grid, postgres, number).run();
        if (number % 3 == 2) {
          committed += recover(grid, postgres);
        }
      }
      goesOn.set(false);
      beside.join();
      grid.makeWhole();
      committed += recover(grid, postgres);
      check(grid, postgres);
      assertThat(died).as("deaths").isGreaterThan(POINTS / 2);
      assertThat(moved.get()).as("moved beside").isGreaterThan(20);
      assertThat(committed).as("ended by the recovery").isGreaterThan(POINTS / 10);
      System.out.printf(
          "%d transfers, %d deaths, %d nodes killed, %d committed, %d ended by the recovery,"
              + " %d moved beside, %d refused, %d heuristic outcomes%n",
          POINTS, died, killed, log.size(), committed, moved.get(), refused, heuristics.get());
    }
  }

  private static void fill(CanopyGrid grid, PostgresServer postgres) throws SQLException {
    EmbeddedCanopy db = grid.node(0);
    Index<Long, Long> accounts = accounts(db);
    transfers(db);
    db.run(tx -> {
      for (long account = 0; account < ACCOUNTS; account++) {
        tx.on(accounts).put(account, MONEY);
      }
    });
    postgres.execute("create table accounts (id bigint primary key, money bigint not null)");
    postgres.execute("create table transfers (id bigint primary key)");
    for (int account = 0; account < ACCOUNTS; account++) {
      postgres.execute("insert into accounts values (" + account + ", 0)");
    }
  }

  /** One transfer by one transaction manager. */
  private final class Transfer {
    private final CanopyGrid grid;
    private final PostgresServer postgres;
    private final int number;
    private final BranchId ours;
    private final BranchId theirs;
    private final int death;
    private final boolean withNode;
    private final int node;
    private int step;

    Transfer(CanopyGrid grid, PostgresServer postgres, int number) {
      this.grid = grid;
      this.postgres = postgres;
      this.number = number;
      byte[] global = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
      this.ours = BranchId.of(FORMAT, global, new byte[] {1});
      this.theirs = BranchId.of(FORMAT, global, new byte[] {2});
      this.death = number % STEPS;
      this.withNode = random.nextInt(NODE_DEATH_ONE_IN) == 0;
      this.node = random.nextInt(grid.nodes());
    }

    void run() throws Exception {
      if (withNode || !grid.isRunning(node)) {
        grid.makeWhole(); // one node at a time
      }
      XAConnection connection = postgres.source().getXAConnection();
      CanopyXaResource canopy = grid.node(node).xa().resource();
      try {
        transfer(canopy, connection.getXAResource(), connection.getConnection());
      } catch (Death e) {
        died++;
      } catch (XAException e) {
        note(e);
      } catch (SQLException | CanopyException e) {
        refused++; // a branch in doubt holds the row, or too few nodes are there
      } finally {
        connection.close(); // what is not prepared there is gone
        abandon(canopy);
      }
    }

    /** A branch that is not prepared ends with the process. */
    private void abandon(CanopyXaResource canopy) {
      if (step >= 7) {
        return;
      }
      try {
        canopy.rollback(ours);
      } catch (XAException e) {
        note(e);
      }
    }

    private void step() {
      if (step++ == death) {
        if (withNode) {
          int victim = random.nextInt(3) == 0 ? (node + 1) % grid.nodes() : node;
          if (grid.isRunning(victim)) {
            grid.kill(victim);
            killed++;
          }
        }
        throw new Death();
      }
    }

    private void transfer(CanopyXaResource canopy, XAResource postgres, Connection sql)
        throws XAException, SQLException {
      EmbeddedCanopy db = grid.node(node);
      Index<Long, Long> accounts = accounts(db);
      Index<Long, Long> transfers = transfers(db);
      long from = random.nextInt(ACCOUNTS);
      long to = random.nextInt(ACCOUNTS);
      step();
      canopy.start(ours, XAResource.TMNOFLAGS);
      step();
      postgres.start(theirs, XAResource.TMNOFLAGS);
      canopy.transaction().on(accounts).compute(from, (id, money) -> money - 1);
      canopy.transaction().on(transfers).put((long) number, from);
      step();
      try (Statement statement = sql.createStatement()) {
        statement.execute("set lock_timeout = '300ms'");
        statement.execute("update accounts set money = money + 1 where id = " + to);
        statement.execute("insert into transfers values (" + number + ")");
      }
      step();
      canopy.end(ours, XAResource.TMSUCCESS);
      step();
      postgres.end(theirs, XAResource.TMSUCCESS);
      step();
      boolean oursFirst = random.nextBoolean();
      prepare(oursFirst ? canopy : postgres, oursFirst ? ours : theirs);
      step();
      prepare(oursFirst ? postgres : canopy, oursFirst ? theirs : ours);
      step();
      step(); // before the decision
      log.add(number);
      step();
      commit(oursFirst ? postgres : canopy, oursFirst ? theirs : ours);
      step();
      commit(oursFirst ? canopy : postgres, oursFirst ? ours : theirs);
      step();
    }

    private void prepare(XAResource resource, Xid id) throws XAException {
      assertThat(resource.prepare(id)).isEqualTo(XAResource.XA_OK);
    }
  }

  private void note(XAException e) {
    boolean isHeuristic =
        e.errorCode >= XAException.XA_HEURMIX && e.errorCode <= XAException.XA_HEURHAZ;
    if (isHeuristic) {
      heuristics.incrementAndGet();
    }
  }

  /** Tells a decision until it has arrived. */
  private void commit(XAResource resource, Xid id) throws XAException {
    try {
      resource.commit(id, false);
    } catch (XAException e) {
      note(e);
      if (e.errorCode != XAException.XAER_RMFAIL) {
        throw e;
      } // the recovery tells it again
    }
  }

  /** Ends what is in doubt on both sides; how many branches. */
  private int recover(CanopyGrid grid, PostgresServer postgres) throws SQLException {
    int ended = 0;
    int node = random.nextInt(grid.nodes());
    if (!grid.isRunning(node)) {
      grid.makeWhole();
    }
    ended +=
        recover(tries -> {
          if (tries % 10 == 9) {
            grid.makeWhole(); // too few nodes may be there
          }
          return grid.node(node).xa().resource();
        });
    XAConnection connection = postgres.source().getXAConnection();
    try {
      XAResource theirs = connection.getXAResource();
      ended += recover(tries -> theirs);
    } finally {
      connection.close();
    }
    return ended;
  }

  private int recover(IntFunction<XAResource> resources) {
    int ended = 0;
    for (int tries = 0; ; tries++) {
      try {
        XAResource resource = resources.apply(tries);
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        List<Xid> left = Arrays.stream(found).filter(id -> id.getFormatId() == FORMAT).toList();
        if (left.isEmpty()) {
          return ended;
        }
        for (Xid id : left) {
          if (log.contains(ByteBuffer.wrap(id.getGlobalTransactionId()).getInt())) {
            resource.commit(id, false);
          } else {
            resource.rollback(id);
          }
          ended++;
        }
      } catch (XAException e) {
        note(e);
        assertThat(tries).as("%s, %s", e, e.errorCode).isLessThan(100);
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }
  }

  /** Moves money within Canopy, whatever is in doubt. */
  private static void moveBeside(CanopyGrid grid, AtomicBoolean goesOn, AtomicInteger moved) {
    Random random = new Random(SEED + 1);
    while (goesOn.get()) {
      long from = random.nextInt(ACCOUNTS);
      long to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      try {
        EmbeddedCanopy db = grid.node(random.nextInt(grid.nodes()));
        Index<Long, Long> accounts = accounts(db);
        db.run(
            TransactionOptions.DEFAULTS.withTimeout(Duration.ofSeconds(3)),
            tx -> {
              tx.on(accounts).compute(from, (id, money) -> money - 1);
              tx.on(accounts).compute(to, (id, money) -> money + 1);
            });
        moved.incrementAndGet();
      } catch (IllegalStateException | CanopyException e) {
        // The node has died, or a branch in doubt holds the account.
        if (e instanceof CanopyException coded && coded.code() == ErrorCode.INTERNAL_ERROR) {
          throw e;
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  private void check(CanopyGrid grid, PostgresServer postgres) throws SQLException {
    Set<Long> decided = new HashSet<>();
    log.forEach(number -> decided.add((long) number));
    assertThat(new HashSet<>(postgres.numbers("select id from transfers"))).isEqualTo(decided);
    long theirs = postgres.numbers("select sum(money)::bigint from accounts").get(0);
    for (int node = 0; node < grid.nodes(); node++) {
      EmbeddedCanopy db = grid.node(node);
      Index<Long, Long> transfers = transfers(db);
      Index<Long, Long> accounts = accounts(db);
      Set<Long> there =
          db.read(tx -> new HashSet<>(tx.on(transfers).scan(Range.all()).keys().toList()));
      assertThat(there).as("node %s", node).isEqualTo(decided);
      long ours = sum(db, accounts);
      assertThat(ours + theirs).as("node %s", node).isEqualTo(ACCOUNTS * MONEY);
      assertThat(theirs).isEqualTo(decided.size());
      assertThat(db.xa().prepared()).isEmpty();
      db.check(accounts, Duration.ofSeconds(10));
      db.check(transfers, Duration.ofSeconds(10));
    }
    assertThat(heuristics.get()).as("heuristic outcomes").isZero();
  }

  private static long sum(Canopy db, Index<Long, Long> accounts) {
    @Nullable Long sum =
        db.read(tx -> tx.on(accounts).scan(Range.all()).values().mapToLong(money -> money).sum());
    return Objects.requireNonNull(sum);
  }
}
