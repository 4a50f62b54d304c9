package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.infinispan.MemberLog.Known;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.recovery.MissingDisks;
import io.canopygrid.gmu.recovery.RecoveryDecision.Answer;
import io.canopygrid.gmu.recovery.RecoveryRound;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.MissingReport;
import io.canopygrid.recovery.MissingReport.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where operators ask a node's round for what it waits, and say that disks are lost. Used by the
 * thread that joins; the {@link LostDisks} that it opens are thread-safe.
 */
final class DiskDesk {
  private static final Logger LOG = LoggerFactory.getLogger(DiskDesk.class);

  /** The thread that joins is never away for long; it may wait for its disk. */
  private static final long ANSWER_SECONDS_MAX = 10;

  private final DiskWait wait;
  private final MemberNames names;
  private final NodeDisk disk;

  /**
   * For one node.
   *
   * @param wait says why the grid is not founded
   * @param names of the members that are missing
   */
  DiskDesk(DiskWait wait, MemberNames names, NodeDisk disk) {
    this.wait = wait;
    this.names = names;
    this.disk = disk;
  }

  /** Why the grid is not founded, in words. */
  String wait(@Nullable Answer answer, Set<NodeId> nodes) {
    return wait.text(answer, nodes);
  }

  /** The node waits, and says why; empty: it waits no longer. */
  void waits(String why) {
    disk.notes().waits(why);
  }

  /** Stores words on lost disks, and says them once, as they are new to this node. */
  void lose(Losses losses) {
    disk.lose(losses);
    LOG.warn(
        "CNPY-5004 DISKS_LOST: by an operator's word these disks of grid '{}' count as lost: {};"
            + " shards that are lost with them, and may begin empty: {} of {} {}",
        wait.grid(),
        words(losses.members().keySet()),
        losses.shards().size(),
        wait.shards(),
        new TreeSet<>(losses.shards()));
  }

  private List<String> words(Collection<NodeId> members) {
    return members.stream().sorted().map(names::of).toList();
  }

  /**
   * Operators can ask from now on.
   *
   * @param inbox takes what is to be done in the round
   * @param obstacle why the grid is not founded, asked there
   * @param nodes that are there, asked there
   */
  void open(
      BlockingQueue<Consumer<RecoveryRound>> inbox,
      Supplier<String> obstacle,
      Supplier<Set<NodeId>> nodes) {
    disk.notes().canBeTold(new Desk(inbox, obstacle, nodes));
  }

  /** The round has ended. */
  void close() {
    disk.notes().canBeTold(null);
  }

  private final class Desk implements LostDisks {
    private final BlockingQueue<Consumer<RecoveryRound>> inbox;
    private final Supplier<String> obstacle;
    private final Supplier<Set<NodeId>> nodes;

    Desk(
        BlockingQueue<Consumer<RecoveryRound>> inbox,
        Supplier<String> obstacle,
        Supplier<Set<NodeId>> nodes) {
      this.inbox = inbox;
      this.obstacle = obstacle;
      this.nodes = nodes;
    }

    @Override
    public MissingReport report(List<String> without) {
      return inRound(round -> report(round, without, Outcome.ASKED));
    }

    @Override
    public MissingReport lose(List<String> without, boolean losesShards) {
      return inRound(round -> {
        Set<NodeId> members = new HashSet<>();
        List<String> unknown = resolve(round, without, members);
        Outcome outcome =
            !unknown.isEmpty()
                ? Outcome.NOT_MISSING
                : switch (round.lose(members, losesShards)) {
                  case COUNTS -> Outcome.LOST;
                  case LOSES_SHARDS -> Outcome.LOSES_SHARDS;
                  case NOT_MISSING -> Outcome.NOT_MISSING;
                  case NOT_NOW -> Outcome.NOT_NOW;
                };
        return report(round, without, outcome);
      });
    }

    private MissingReport inRound(Function<RecoveryRound, MissingReport> question) {
      CompletableFuture<MissingReport> answer = new CompletableFuture<>();
      inbox.add(round -> {
        try {
          answer.complete(question.apply(round));
        } catch (RuntimeException e) {
          answer.completeExceptionally(e);
          throw e;
        }
      });
      try {
        return answer.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return nothing();
      } catch (TimeoutException e) {
        return nothing();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }

    private MissingReport nothing() {
      return new MissingReport(
          Outcome.NOT_NOW,
          wait.grid(),
          "",
          wait.shards(),
          List.of(),
          List.of(),
          List.of(),
          false,
          List.of(),
          List.of(),
          List.of());
    }

    /** Finds the members that are meant; the answer has the words that mean none. */
    private List<String> resolve(RecoveryRound round, List<String> words, Set<NodeId> members) {
      MissingDisks missing = round.missing();
      Set<NodeId> known = new TreeSet<>(round.losses().members().keySet());
      if (missing != null) {
        known.addAll(missing.missing().keySet());
        known.addAll(missing.outOfDate());
      }
      List<String> unknown = new ArrayList<>();
      for (String word : words) {
        List<NodeId> meant = known.stream().filter(each -> isMeant(each, word)).toList();
        members.addAll(meant);
        if (meant.isEmpty()) {
          unknown.add(word);
        }
      }
      return missing == null ? List.of() : unknown;
    }

    private boolean isMeant(NodeId member, String word) {
      Known known = names.last(member);
      return word.equals(member.toString())
          || (known != null && (word.equals(known.name()) || word.equals(known.address())));
    }

    private MissingReport report(RecoveryRound round, List<String> without, Outcome outcome) {
      Set<NodeId> members = new HashSet<>();
      List<String> unknown = resolve(round, without, members);
      MissingDisks now = round.missing();
      MissingDisks then = round.without(members);
      return new MissingReport(
          now == null || then == null ? Outcome.NOT_NOW : outcome,
          wait.grid(),
          obstacle.get(),
          wait.shards(),
          now == null
              ? List.of()
              : now.missing().entrySet().stream()
                  .map(each -> disk(each.getKey(), each.getValue()))
                  .toList(),
          now == null
              ? List.of()
              : now.outOfDate().stream().map(each -> disk(each, Set.of())).toList(),
          then == null ? List.of() : withoutTop(then.lost()),
          then != null && then.mayHaveGoneOn(),
          words(round.losses().members().keySet()),
          nodes.get().stream().sorted().map(wait.there()).toList(),
          unknown);
    }

    private MissingReport.Disk disk(NodeId member, Set<Integer> shards) {
      Known known = names.last(member);
      return new MissingReport.Disk(
          member.toString(),
          known == null ? "" : known.name(),
          known == null ? "" : known.address(),
          withoutTop(shards));
    }

    private List<Integer> withoutTop(Set<Integer> shards) {
      return shards.stream().filter(each -> each < wait.shards()).sorted().toList();
    }
  }
}
