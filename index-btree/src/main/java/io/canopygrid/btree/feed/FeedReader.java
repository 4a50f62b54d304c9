package io.canopygrid.btree.feed;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.spi.LostCallException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the changes between two snapshots from the primaries of all shards. Thread-safe. */
final class FeedReader {
  private static final Logger LOG = LoggerFactory.getLogger(FeedReader.class);

  /** A caller asks again, so that no thread waits for long. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long NODE_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long AWAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final GmuNode node;
  private final NodeQuestions questions;
  private final FeedServer own;

  FeedReader(GmuNode node, NodeQuestions questions, FeedServer own) {
    this.node = node;
    this.questions = questions;
    this.own = own;
  }

  /**
   * The next transactions after a snapshot, up to another one.
   *
   * @throws CanopyException {@link ErrorCode#CHANGES_LOST}, {@link ErrorCode#SHARD_UNAVAILABLE},
   *     {@link ErrorCode#INTERRUPTED}
   */
  FeedCut read(int index, KeyRange range, VectorClock from, VectorClock upTo) {
    Map<Integer, KnownShard> shards = new TreeMap<>();
    for (int shard = 0; shard < node.shardMap().shards(); shard++) {
      shards.put(shard, new KnownShard());
    }
    while (true) {
      readMore(index, range, from, upTo, shards);
      FeedCut cut = FeedCut.of(shards, from, upTo);
      if (cut.isWhole() || !cut.commits().isEmpty()) {
        return cut;
      }
    }
  }

  /** Asks some shards once more, each until it has answered. */
  private void readMore(
      int index,
      KeyRange range,
      VectorClock from,
      VectorClock upTo,
      Map<Integer, KnownShard> shards) {
    Map<Integer, KnownShard> awaited = FeedCut.awaited(shards);
    Map<Integer, Long> open = new TreeMap<>();
    awaited.forEach((shard, known) -> open.put(shard, known.upTo()));
    long deadlineNanos = node.threads().nanoTime() + PATIENCE_NANOS;
    while (true) {
      Asked asked = asked(index, range, from, upTo, open);
      for (Map.Entry<Integer, ChangeAnswer> answer : asked.answers().entrySet()) {
        if (answer.getValue() instanceof ChangeAnswer.TooOld) {
          throw lost();
        }
        KnownShard known = awaited.get(answer.getKey());
        if (answer.getValue() instanceof ChangeAnswer.Told told
            && known != null
            && open.remove(answer.getKey()) != null) {
          known.add(told);
        }
      }
      if (open.isEmpty()) {
        return;
      }
      if (deadlineNanos - node.threads().nanoTime() <= 0) {
        throw new CanopyException(
            ErrorCode.SHARD_UNAVAILABLE,
            "the changes of shards "
                + open.keySet()
                + " could not be read"
                + (asked.silent().isEmpty()
                    ? ""
                    : "; these nodes do not answer, or are of a release without change feeds: "
                        + asked.silent()));
      }
      awaitApplied(upTo, open.keySet());
      pause();
    }
  }

  /**
   * Lets the primaries of some shards apply what a snapshot shows. A read does so, also where a
   * primary lacks only numbers of which nothing is left.
   */
  private void awaitApplied(VectorClock upTo, Set<Integer> shards) {
    List<ReadQuery> queries = new ArrayList<>();
    for (int shard : shards) {
      queries.add(new ReadQuery.Get(CompositeKey.header(node.shardMap().kclIn(shard))));
    }
    long deadlineNanos = node.threads().nanoTime() + AWAIT_NANOS;
    GmuTransaction reading = node.beginAt(upTo, false, deadlineNanos);
    try {
      reading.readAll(queries, query -> {});
    } catch (TimeoutException e) {
      LOG.debug("shards {} have not applied {}", shards, upTo);
    } finally {
      reading.end();
    }
  }

  /** Changes after the last snapshot that was told may be gone. */
  static CanopyException lost() {
    return new CanopyException(
        ErrorCode.CHANGES_LOST,
        "changes after the feed's position are not kept any more: it was not read for longer than"
            + " cluster.snapshotAgeMax, or the node or server that kept them for it was lost, and"
            + " cluster.retention does not reach back so far");
  }

  private void pause() {
    node.threads().sleep(PAUSE_NANOS);
    if (Thread.currentThread().isInterrupted()) {
      throw new CanopyException(
          ErrorCode.INTERRUPTED, "the thread was interrupted while changes were read");
    }
  }

  /**
   * The answers that came.
   *
   * @param silent the nodes that have not answered
   */
  private record Asked(Map<Integer, ChangeAnswer> answers, List<NodeId> silent) {}

  /** Asks the shards' primaries. */
  private Asked asked(
      int index, KeyRange range, VectorClock from, VectorClock upTo, Map<Integer, Long> open) {
    Map<NodeId, Map<Integer, Long>> byNode = byPrimary(open);
    Map<Integer, Long> here = byNode.remove(node.self());
    Map<NodeId, CompletableFuture<byte[]>> others = new LinkedHashMap<>();
    byNode.forEach((to, shards) -> {
      FeedQuestion question = new FeedQuestion(index, range, from, upTo, shards);
      others.put(to, questions.ask(to, NodeQuestions.Kind.FEED, question.encode()));
    });
    Asked asked = new Asked(new LinkedHashMap<>(), new ArrayList<>());
    if (here != null) {
      asked.answers().putAll(own.answers(new FeedQuestion(index, range, from, upTo, here)));
    }
    long deadlineNanos = node.threads().nanoTime() + NODE_PATIENCE_NANOS;
    try {
      for (Map.Entry<NodeId, CompletableFuture<byte[]>> other : others.entrySet()) {
        FeedAnswer answer = answered(other.getValue(), deadlineNanos);
        if (answer == null) {
          asked.silent().add(other.getKey());
        } else {
          asked.answers().putAll(answer.shards());
        }
      }
    } finally {
      others.values().forEach(other -> other.cancel(false));
    }
    return asked;
  }

  private Map<NodeId, Map<Integer, Long>> byPrimary(Map<Integer, Long> open) {
    Topology topology = node.topology();
    Map<NodeId, Map<Integer, Long>> byNode = new LinkedHashMap<>();
    open.forEach((shard, above) -> {
      List<NodeId> owners = topology.shard(shard).owners();
      if (!owners.isEmpty()) {
        byNode.computeIfAbsent(owners.get(0), any -> new TreeMap<>()).put(shard, above);
      }
    });
    return byNode;
  }

  /** Null: the node does not answer. */
  private @Nullable FeedAnswer answered(CompletableFuture<byte[]> answer, long deadlineNanos) {
    try {
      long left = Math.max(0, deadlineNanos - node.threads().nanoTime());
      return FeedAnswer.decode(answer.get(left, TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(
          ErrorCode.INTERRUPTED, "the thread was interrupted while changes were read", e);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LostCallException) {
        return null;
      }
      throw new CanopyException(ErrorCode.INTERNAL_ERROR, "a call failed: " + e.getCause(), e);
    }
  }
}
