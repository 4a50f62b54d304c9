package io.canopygrid.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The times in which no node could use a shard, from the times at which each node could. */
final class ShardGaps {
  private ShardGaps() {}

  /**
   * The longest time of each shard without anyone's success, in milliseconds.
   *
   * @param watches files of lines {@code shard milliseconds}; longer ones are no successes
   * @param fromMillis earlier successes do not count, except for the last one before
   */
  static long[] longest(List<Path> watches, int shards, long fromMillis) throws IOException {
    List<List<Long>> served = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      served.add(new ArrayList<>());
    }
    for (Path watch : watches) {
      for (String line : Files.readAllLines(watch)) {
        String[] words = line.split(" ", -1);
        if (words.length == 2 && !words[1].isEmpty()) {
          served.get(Integer.parseInt(words[0])).add(Long.parseLong(words[1]));
        }
      }
    }
    return served.stream().mapToLong(times -> longest(times, fromMillis)).toArray();
  }

  private static long longest(List<Long> times, long fromMillis) {
    long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
    long longest = 0;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] > fromMillis) {
        longest = Math.max(longest, sorted[i] - sorted[i - 1]);
      }
    }
    return longest;
  }

  /** The greatest of some, 0 for none. */
  static long greatest(long[] gaps) {
    return Arrays.stream(gaps).max().orElse(0);
  }
}
