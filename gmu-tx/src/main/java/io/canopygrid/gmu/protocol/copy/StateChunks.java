package io.canopygrid.gmu.protocol.copy;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.KeyVersions;
import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.message.Message.Resolved;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.store.CommitLog;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A shard's state as it is sent to a learner (protocol.md, A joining owner): the first chunk has
 * the log and the records, the others the chains.
 *
 * <p>The learner takes them in this order, whatever order they come in. So a copy that got only
 * some of them, because the topology changed, still has every version above each that it has: the
 * later ones were in the records, or were sent to it as commits. The next state can be merged into
 * it.
 */
public final class StateChunks {
  /** The greatest multiple of the usual time that a learner waits before it asks again. */
  private static final long PATIENCE_MAX = 16;

  private final TreeMap<Integer, State> early = new TreeMap<>();
  private int next;
  private @Nullable CompositeKey takenUpTo;
  private long request;

  /** The topology of the last request, and how many of the same went before it. */
  private long askedIn;

  private long repeats;
  private long askedAt;

  /** The transactions that were prepared before a gap in the topologies that this node has seen. */
  private final Set<TxId> inherited = new HashSet<>();

  /**
   * All chunks of a copy's state now: of what the learner lacks, if that is known here.
   *
   * @param founded the id of the topology with which the grid was founded last
   */
  public static List<State> of(
      ShardCopy copy,
      List<Resolved> records,
      int shard,
      StateRequest asked,
      int chunkBytes,
      long founded) {
    CommitLog log = copy.log();
    List<LogEntry> entries = new ArrayList<>(log.size());
    for (int i = 0; i < log.size(); i++) {
      CommitLog.Entry e = log.entry(i);
      entries.add(new LogEntry(e.sequenceNumber(), e.tid(), e.clock()));
    }
    long since = since(copy, asked.has(), founded);
    List<Part> parts = parts(copy, since, chunkBytes);
    List<State> chunks = new ArrayList<>(parts.size() + 1);
    for (int number = 0; number <= parts.size(); number++) {
      boolean first = number == 0;
      Part part = first ? Part.NOTHING : parts.get(number - 1);
      chunks.add(
          new State(
              asked.topology(),
              shard,
              asked.request(),
              number,
              number == parts.size(),
              part.chains(),
              first ? entries : List.of(),
              log.applied(),
              copy.clocks().mostRecent(),
              first ? records : List.of(),
              since,
              part.gone(),
              founded));
    }
    return chunks;
  }

  /**
   * The number above which a learner is told what has changed; 0: it is sent all. Its copy must be
   * of the past of this grid, and all keys that are gone since must be known here (Coming back).
   */
  static long since(ShardCopy copy, UpTo has, long founded) {
    return has.isKnown() && isOfThisGrid(has, founded) && copy.knowsRemovals(has.number())
        ? has.number()
        : 0;
  }

  /** Whether a copy was known to be complete after the grid was founded last. */
  static boolean isOfThisGrid(UpTo has, long founded) {
    return has.topology() >= founded;
  }

  /** The part of a chunk that is about keys. */
  private record Part(List<KeyVersions> chains, List<CompositeKey> gone) {
    private static final Part NOTHING = new Part(List.of(), List.of());
  }

  private static List<Part> parts(ShardCopy copy, long since, int chunkBytes) {
    List<Part> parts = new ArrayList<>();
    int bytes = 0;
    List<CompositeKey> gone = new ArrayList<>();
    for (CompositeKey key : since > 0 ? copy.removedSince(since) : List.<CompositeKey>of()) {
      gone.add(key);
      bytes += key.bytes().length;
      if (bytes >= chunkBytes) {
        parts.add(new Part(List.of(), List.copyOf(gone)));
        gone.clear();
        bytes = 0;
      }
    }
    List<KeyVersions> chains = new ArrayList<>();
    OrderedCursor<VersionChain> cursor = copy.chains().view().ascending(new byte[0]);
    while (cursor.next()) {
      VersionChain chain = cursor.value();
      if (chain.sequenceNumber() > since) {
        bytes += cursor.key().length + bytes(chain);
        chains.add(new KeyVersions(CompositeKey.ofBytes(cursor.key()), chain));
      }
      if (bytes >= chunkBytes) {
        parts.add(new Part(List.copyOf(chains), List.copyOf(gone)));
        chains.clear();
        gone.clear();
        bytes = 0;
      }
    }
    if (!chains.isEmpty() || !gone.isEmpty()) {
      parts.add(new Part(chains, gone));
    }
    return parts;
  }

  private static int bytes(VersionChain chain) {
    int bytes = 0;
    for (VersionChain v = chain; v != null; v = v.older()) {
      bytes += 16 + 12 * v.clock().size() + v.size();
    }
    return bytes;
  }

  /** Starts over: the state as it is now will be asked for. Returns the number of the request. */
  public long ask(long topology, long nowNanos) {
    repeats = topology == askedIn ? repeats + 1 : 0;
    askedIn = topology;
    early.clear();
    next = 0;
    takenUpTo = null;
    askedAt = nowNanos;
    return ++request;
  }

  /** The last key of the chunks that were merged; null: there is none. */
  public @Nullable CompositeKey takenUpTo() {
    return takenUpTo;
  }

  /** A chunk was merged. */
  public void took(State chunk) {
    if (!chunk.chains().isEmpty()) {
      takenUpTo = chunk.chains().get(chunk.chains().size() - 1).key();
    }
  }

  /** The copy begins with the records of the one before a gap. */
  public void inherit(Set<TxId> records) {
    inherited.addAll(records);
  }

  /**
   * Which of the inherited records a state shows to be over: the primary has a record of each
   * undecided transaction. A transaction of which it has no record is decided, and in the state, or
   * will be aborted; if it is done nobody tells this node (protocol.md, Skipped topologies).
   */
  public Set<TxId> over(State chunk) {
    if (chunk.chunk() > 0) {
      return Set.of();
    }
    Set<TxId> over = new HashSet<>(inherited);
    chunk.records().forEach(resolved -> over.remove(resolved.record().tid()));
    inherited.clear();
    return over;
  }

  /**
   * Whether nothing has come for so long; each time that it was asked for again in one topology it
   * may take longer, as an answer that is under way counts no more then.
   */
  public boolean isOverdue(long nowNanos, long nanos) {
    return nowNanos - askedAt >= nanos * Math.min(1 + repeats, PATIENCE_MAX);
  }

  /** Whether a chunk answers the last request: no other answer counts (Lost messages). */
  boolean answersLastRequest(State chunk) {
    return chunk.request() == request;
  }

  /**
   * Takes a chunk; returns those that can be merged now, in order. A chunk that came before, or
   * that answers an older request, gives none.
   */
  public List<State> inOrder(State chunk, long nowNanos) {
    List<State> ready = new ArrayList<>();
    if (!answersLastRequest(chunk)) {
      return ready;
    }
    askedAt = nowNanos;
    if (chunk.chunk() >= next) {
      early.put(chunk.chunk(), chunk);
    }
    for (State s = early.remove(next); s != null; s = early.remove(next)) {
      ready.add(s);
      next++;
    }
    return ready;
  }
}
