package io.canopygrid.function;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.Limits;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.Pace;
import io.canopygrid.engine.SortedPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Sends a sorted load in parts, one while the next one is filled. Used by one thread at a time. */
public final class PartLoader<K, V> implements Loader<K, V> {
  /** A part is sent with the entry with which it would be longer. */
  private static final int PART_BYTES_MAX = Limits.ARGUMENT_BYTES_MAX - 1_024;

  private static final TransactionOptions OPTIONS =
      TransactionOptions.labelled("load").withTimeout(Duration.ofMinutes(1));

  private final Canopy db;

  /**
   * After all parts so far: where a power cut has taken some of them the next one is refused, as it
   * is in another grid than the one in which the load began.
   */
  private TransactionOptions options;

  private final Index<K, V> index;
  private final EntryCodec<K, V> codec;
  private final Pace pace;
  private final int partBytesMax;
  private List<SortedPart.Entry> next = new ArrayList<>();
  private int nextBytes;
  private byte @Nullable [] last;
  private long committed;
  private boolean closed;

  private CompletableFuture<Integer> underWay = CompletableFuture.completedFuture(0);

  /** A load in parts as large as a call takes. */
  public PartLoader(Canopy db, Index<K, V> index, EntryCodec<K, V> codec, Pace pace) {
    this(db, index, codec, pace, PART_BYTES_MAX);
  }

  /**
   * A load in smaller parts.
   *
   * @param pace in which it waits
   */
  public PartLoader(
      Canopy db, Index<K, V> index, EntryCodec<K, V> codec, Pace pace, int partBytesMax) {
    this.db = db;
    this.options = OPTIONS.withAfter(db.token());
    this.index = index;
    this.codec = codec;
    this.pace = pace;
    this.partBytesMax = partBytesMax;
  }

  @Override
  public void add(K key, V value) {
    checkOpen();
    SortedPart.Entry entry = new SortedPart.Entry(codec.encodeKey(key), codec.encodeValue(value));
    if (last != null && Arrays.compareUnsigned(last, entry.key()) >= 0) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "key " + key + " is not above the one before: what is not sorted is put, not loaded");
    }
    if (nextBytes + LoadFunction.bytesMax(entry) > partBytesMax) {
      send();
    }
    next.add(entry);
    nextBytes += LoadFunction.bytesMax(entry);
    last = entry.key();
    if (nextBytes > partBytesMax) {
      send();
    }
  }

  @Override
  public void flush() {
    checkOpen();
    send();
    await();
  }

  private void send() {
    await();
    if (next.isEmpty()) {
      return;
    }
    List<SortedPart.Entry> entries = next;
    K first = codec.decodeKey(entries.get(0).key());
    boolean alone = nextBytes > partBytesMax;
    next = new ArrayList<>();
    nextBytes = 0;
    underWay =
        (alone ? inserted(first, entries.get(0)) : loaded(first, new SortedPart(entries)))
            .thenApply(done -> entries.size());
  }

  private CompletableFuture<?> loaded(K first, SortedPart part) {
    FunctionCall call =
        FunctionCall.of(LoadFunction.NAME, LoadFunction.arguments(part))
            .at(index, Range.atLeast(first));
    return db.executeAsync(options, call).toCompletableFuture();
  }

  /** An entry that is too large for an argument. */
  private CompletableFuture<?> inserted(K key, SortedPart.Entry entry) {
    return db.runAsync(options, tx -> tx.on(index).insert(key, codec.decodeValue(entry.value())))
        .toCompletableFuture();
  }

  private void await() {
    try {
      committed += pace.await(underWay);
      underWay = CompletableFuture.completedFuture(0);
      options = options.withAfter(options.after().join(db.token()));
    } catch (CanopyException e) {
      closed = true;
      throw told(e);
    } catch (CompletionException e) {
      closed = true;
      throw e.getCause() instanceof CanopyException coded ? told(coded) : e;
    }
  }

  /** The error of a part, as the caller's. */
  private static CanopyException told(CanopyException e) {
    if (e.code() == ErrorCode.INVALID_TOKEN) {
      return new CanopyException(
          ErrorCode.GRID_CHANGED,
          "the grid has changed during the load: what was loaded before is not in this one",
          e);
    }
    return new CanopyException(
        e.code(), e.detail(), e.commitState(), e.transactionId(), e, e.facts());
  }

  private void checkOpen() {
    if (closed) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "the loader is closed, or a part of it has failed",
          CommitState.NOT_COMMITTED,
          null,
          null);
    }
  }

  @Override
  public long committed() {
    return committed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
