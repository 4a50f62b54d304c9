package io.canopygrid;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a {@link ChangeFeed}, and the keys whose changes it tells. Immutable and
 * thread-safe.
 *
 * @param <K> keys
 */
public final class FeedOptions<K> {
  private final @Nullable FeedPosition after;
  private final String snapshot;
  private final Range<K> range;

  private FeedOptions(@Nullable FeedPosition after, String snapshot, Range<K> range) {
    this.after = after;
    this.snapshot = snapshot;
    this.range = range;
  }

  /** All changes that are committed after the feed was opened; perhaps some of right before. */
  public static <K> FeedOptions<K> fromNow() {
    return new FeedOptions<>(null, "", Range.all());
  }

  /** All changes that the feed of this position has not told by then. */
  public static <K> FeedOptions<K> after(FeedPosition position) {
    return new FeedOptions<>(Arguments.notNull("position", position), "", Range.all());
  }

  /**
   * All changes that a named snapshot does not show: after a copy of the snapshot was made, the
   * feed tells what has changed since. The snapshot may be dropped once the feed has returned its
   * first transaction.
   *
   * @param name as of {@link Canopy#snapshot}
   */
  public static <K> FeedOptions<K> since(String name) {
    if (Arguments.notNull("name", name).isEmpty()) {
      throw Arguments.invalid("the name of a snapshot is empty");
    }
    return new FeedOptions<>(null, name, Range.all());
  }

  /**
   * All changes since a time, as of {@link TransactionOptions#asOf}: perhaps some of right before.
   */
  public static <K> FeedOptions<K> since(Instant time) {
    String state = TransactionOptions.DEFAULTS.asOf(time).snapshot();
    return new FeedOptions<>(null, state, Range.all());
  }

  /** The same for the keys of a range only. */
  public FeedOptions<K> in(Range<K> keys) {
    return new FeedOptions<>(after, snapshot, Arguments.notNull("range", keys));
  }

  /** The position after which the feed begins; empty: it begins elsewhere. */
  public Optional<FeedPosition> position() {
    return Optional.ofNullable(after);
  }

  /** The state after which the feed begins, as of {@link TransactionOptions#at}; empty: none. */
  public String snapshot() {
    return snapshot;
  }

  /** The keys whose changes are told. */
  public Range<K> range() {
    return range;
  }
}
