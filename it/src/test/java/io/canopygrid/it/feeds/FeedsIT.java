package io.canopygrid.it.feeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.IndexStructure;
import io.canopygrid.Range;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.wire.client.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A follower keeps a copy of an index by its changes, while others write, subtrees are split and
 * moved, one server and all servers are killed and started again, and the follower gets another
 * client. {@code -Dcanopy.feeds.rounds=10} does that so often; {@code -Dcanopy.seed} says in which
 * order and where.
 */
final class FeedsIT {
  private static final int ROUNDS = Integer.getInteger("canopy.feeds.rounds", 1);
  private static final long SEED = Long.getLong("canopy.seed", 1);

  /** The transactions between two faults. */
  private static final int PROGRESS = 200;

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private final Random random = new Random(SEED);

  private enum Fault {
    SPLIT,
    MOVE,
    DEATH,
    DEATHS_OF_ALL,
    ANOTHER_CLIENT
  }

  /** The parts of a run. */
  private record Run(
      FeedServers servers,
      RemoteCanopy db,
      Index<String, String> index,
      Writers writers,
      Follower follower) {}

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void theCopyIsWhatIsThere() throws Exception {
    try (FeedServers servers = new FeedServers(directory)) {
      servers.awaitReady();
      String uri = "canopy://" + String.join(",", servers.addresses());
      try (RemoteCanopy db = RemoteCanopy.connect(uri)) {
        Index<String, String> index = NumberedWrite.index(db);
        awaitRetention(db, index);
        try (Follower follower = new Follower(servers.addresses(), random.nextLong());
            Writers writers = new Writers(uri, random.nextLong())) {
          patient().until(follower::isOpen);
          writers.openAccounts();
          writers.start();
          run(new Run(servers, db, index, writers, follower));
        }
      }
    }
  }

  /** Waits until the present is a state that the grid keeps: from then on no change is lost. */
  private static void awaitRetention(Canopy db, Index<String, String> index) {
    TransactionOptions then = TransactionOptions.DEFAULTS.asOf(Instant.now());
    patient()
        .ignoreExceptionsInstanceOf(CanopyException.class)
        .until(() ->
            db.<Long, RuntimeException>read(then, tx -> tx.on(index).count(Range.all())) == 0);
  }

  private static ConditionFactory patient() {
    return await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptionsMatching(e -> e instanceof CanopyException c && c.code().retryable());
  }

  private void run(Run run) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    for (int round = 0; round < ROUNDS; round++) {
      List<Fault> faults = new ArrayList<>(Arrays.asList(Fault.values()));
      Collections.shuffle(faults, random);
      for (Fault fault : faults) {
        awaitProgress(run);
        cause(fault, run);
        System.out.printf(
            "seed %d, %5d ms: %s, %d committed, %s%n",
            SEED,
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun),
            fault,
            run.writers().committed(),
            run.follower());
      }
    }
    awaitProgress(run);
    run.writers().stop();
    check(run);
  }

  /** Waits until some more was committed, and the follower has followed some more. */
  private static void awaitProgress(Run run) {
    int committed = run.writers().committed() + PROGRESS;
    int followed = run.follower().followed().size() + PROGRESS;
    patient()
        .until(() ->
            run.writers().committed() >= committed && run.follower().followed().size() >= followed);
  }

  private void cause(Fault fault, Run run) throws IOException, InterruptedException {
    switch (fault) {
      case SPLIT -> split(run);
      case MOVE -> move(run);
      case DEATH -> {
        awaitCopies(run);
        List<Integer> one = List.of(random.nextInt(FeedServers.COUNT));
        run.servers().kill(one);
        awaitProgress(run);
        run.servers().start(one); // the next fault may come while it joins
      }
      case DEATHS_OF_ALL -> {
        List<Integer> all = new ArrayList<>(IntStream.range(0, FeedServers.COUNT).boxed().toList());
        Collections.shuffle(all, random);
        run.servers().kill(all);
        run.servers().start(all);
        run.servers().awaitReady();
      }
      case ANOTHER_CLIENT -> {
        run.follower().changeClient();
        patient().until(run.follower()::hasClient);
      }
    }
  }

  /** Waits until nothing is lost where one server is killed. */
  private static void awaitCopies(Run run) throws IOException, InterruptedException {
    run.servers().awaitReady();
    patient()
        .until(() ->
            run.db().status().nodes().stream().mapToInt(Reply.NodeStatus::ownedShards).sum()
                == 2 * FeedServers.SHARDS);
  }

  private String someKey() {
    return random.nextBoolean()
        ? NumberedWrite.account(random.nextInt(Writers.ACCOUNTS))
        : NumberedWrite.entry(random.nextInt(Writers.ENTRIES));
  }

  /** Splits at some key, or at another one where that cannot be. */
  private void split(Run run) {
    IndexStructure structure = run.db().structure(run.index().name());
    patient()
        .ignoreExceptionsInstanceOf(CanopyException.class) // it is reshaped by itself, too
        .untilAsserted(() -> {
          byte[] at = Codec.string().encode(someKey());
          assertThat(structure.split(at).state()).isEqualTo(StructureChange.State.DONE);
        });
  }

  /** Moves some subtree to another server, or another one where that cannot be. */
  private void move(Run run) {
    IndexStructure structure = run.db().structure(run.index().name());
    patient()
        .ignoreExceptionsInstanceOf(CanopyException.class) // it is reshaped by itself, too
        .untilAsserted(() -> {
          List<Subtree> subtrees = structure.subtrees();
          Subtree moved = subtrees.get(random.nextInt(subtrees.size()));
          List<String> others =
              run.db().cluster().members().stream()
                  .map(Reply.Member::node)
                  .filter(node -> !node.equals(moved.node()))
                  .toList();
          String there = others.get(random.nextInt(others.size()));
          assertThat(structure.move(moved.from(), there).state())
              .isEqualTo(StructureChange.State.DONE);
        });
  }

  private static Map<String, String> scan(Run run) {
    return run.db()
        .<Map<String, String>, RuntimeException>read(
            TransactionOptions.DEFAULTS.withTimeout(LIMIT),
            tx -> {
              try (Cursor<String, String> cursor = tx.on(run.index()).scan()) {
                Map<String, String> state = new TreeMap<>();
                cursor.forEach(e -> state.put(e.getKey(), e.getValue()));
                return state;
              }
            });
  }

  private static void check(Run run) {
    Set<Integer> committed = run.writers().told(CommitState.COMMITTED);
    Set<Integer> unknown = run.writers().told(CommitState.UNKNOWN);
    patient().until(() -> run.follower().followed().containsAll(committed));
    // A transaction whose end nobody knows may take effect until now.
    patient()
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> assertThat(run.follower().copy().equals(scan(run))).as("seed %s", SEED).isTrue());

    Map<String, String> copy = run.follower().copy();
    List<Long> balances =
        copy.entrySet().stream()
            .filter(one -> NumberedWrite.isAccount(one.getKey()))
            .map(one -> Long.valueOf(one.getValue()))
            .toList();
    assertThat(balances).hasSize(Writers.ACCOUNTS);
    assertThat(balances.stream().mapToLong(Long::longValue).sum())
        .isEqualTo(Writers.ACCOUNTS * Writers.OPENING);
    Set<Integer> followed = run.follower().followed();
    assertThat(followed)
        .as("seed %s", SEED)
        .containsAll(committed)
        .allMatch(number -> committed.contains(number) || unknown.contains(number));
    assertThat(run.writers().told(CommitState.NOT_COMMITTED)).isNotEmpty();
    System.out.printf(
        "seed %d: %d committed, %d unknown, %d not committed; %s%n",
        SEED,
        committed.size(),
        unknown.size(),
        run.writers().told(CommitState.NOT_COMMITTED).size(),
        run.follower());
  }
}
