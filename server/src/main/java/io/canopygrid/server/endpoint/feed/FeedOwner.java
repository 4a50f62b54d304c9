package io.canopygrid.server.endpoint.feed;

import io.canopygrid.codec.KeyRange;
import java.util.Arrays;

/**
 * The user who has opened a feed, and what it is about: nobody else uses it, and it tells nothing
 * else.
 *
 * @param user empty where clients need not say who they are
 * @param index the number of the index
 */
record FeedOwner(String user, int index, KeyRange range) {
  /** Whether both are the same. */
  boolean isSameAs(FeedOwner other) {
    return user.equals(other.user)
        && index == other.index
        && Arrays.equals(range.from(), other.range.from())
        && Arrays.equals(range.to(), other.range.to());
  }
}
