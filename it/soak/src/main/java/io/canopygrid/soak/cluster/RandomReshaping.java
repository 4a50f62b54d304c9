package io.canopygrid.soak.cluster;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts, merges and moves the subtrees of some indexes at random while clients use them: what the
 * balance does now and then, all the time.
 */
final class RandomReshaping {
  /**
   * The errors that are expected while nodes come and go, and others carve too; all others are
   * bugs.
   */
  private static final Set<ErrorCode> REFUSALS =
      EnumSet.of(
          ErrorCode.SHARD_UNAVAILABLE,
          ErrorCode.DISK_SLOW,
          ErrorCode.DISK_FULL,
          ErrorCode.TIMEOUT,
          ErrorCode.INVALID_ARGUMENT,
          ErrorCode.UNKNOWN_INDEX,
          ErrorCode.LOCK_TIMEOUT,
          ErrorCode.COMMIT_UNKNOWN,
          ErrorCode.NOT_CONNECTED);

  /**
   * A carver looks once in so many rounds at what the balance does, which asks all nodes. On a slow
   * machine these are few, so it looks once more, at all indexes, when it stops.
   */
  private static final int LOOK_EVERY = 20;

  private final Canopy db;
  private final List<String> indexes;
  private final long everyMillis;
  private final Random random;
  private final Thread thread = new Thread(this::run, "carver");
  private volatile boolean stopped;

  // The thread's own until it has ended.
  private final Map<StructureChange.Kind, Integer> done = new EnumMap<>(StructureChange.Kind.class);
  private final Set<String> drawn = new HashSet<>();
  private int refused;
  private String failure = "";

  /** The command has the indexes, how long to rest after each change, and a seed. */
  RandomReshaping(Canopy db, Command command) {
    this.db = db;
    this.indexes = List.of(command.text("indexes").split(",", -1));
    this.everyMillis = command.number("everyMillis");
    this.random = new Random(command.number("seed"));
  }

  /** Goes on until {@link #stop()}. */
  Command start() {
    thread.start();
    return Command.of("ok");
  }

  /**
   * Ends with the change that is under way; how many of each kind were made, and which ones the
   * balance has made for the sake of who uses a subtree.
   */
  Command stop() throws InterruptedException {
    stopped = true;
    thread.join();
    Command answer = Command.of("ok").with("refused", refused).with("failure", "-" + failure);
    answer = answer.with("drawn", String.join(",", drawn));
    for (StructureChange.Kind kind : StructureChange.Kind.values()) {
      answer = answer.with(kind.name().toLowerCase(Locale.ROOT), done.getOrDefault(kind, 0));
    }
    return answer;
  }

  private void run() {
    try {
      for (int i = 0; !stopped; i++) {
        if (i % LOOK_EVERY == 0) {
          attempt(() -> lookWhatIsDrawn(pick(indexes)));
        }
        attempt(this::carve);
        Thread.sleep(everyMillis);
      }
      indexes.forEach(index -> attempt(() -> lookWhatIsDrawn(index)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (CanopyException e) {
      refused++;
      if (!REFUSALS.contains(e.code())) {
        failed(e);
      }
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void carve() {
    StructureChange change = changeSomething();
    if (change != null && change.state() == StructureChange.State.DONE) {
      done.merge(change.kind(), 1, Integer::sum);
    }
  }

  /** Nodes forget it after some time. */
  private void lookWhatIsDrawn(String index) {
    for (StructureChange change : db.structure(index).changes()) {
      if (change.reason() == StructureChange.Reason.NEAR
          && change.state() == StructureChange.State.DONE) {
        drawn.add(change.by() + "@" + change.startedMillis());
      }
    }
  }

  private void failed(RuntimeException e) {
    if (failure.isEmpty()) {
      failure = e.toString();
      e.printStackTrace();
    }
  }

  /** Null: there is nothing of that kind to be done. */
  private @Nullable StructureChange changeSomething() {
    IndexStructure structure = db.structure(pick(indexes));
    List<Subtree> subtrees = structure.subtrees();
    Subtree subtree = pick(subtrees);
    return switch (pick(List.of(StructureChange.Kind.values()))) {
      case SPLIT -> subtree.cuts().isEmpty() ? null : structure.split(pick(subtree.cuts()));
      case MERGE -> subtrees.size() == 1 ? null : structure.merge(subtree.from());
      case MOVE -> {
        String node = pick(subtrees).node();
        yield node.isEmpty() ? null : structure.move(subtree.from(), node);
      }
    };
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
