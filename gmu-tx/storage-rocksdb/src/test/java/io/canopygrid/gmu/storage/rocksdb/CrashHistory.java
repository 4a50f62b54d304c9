package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.memory.DiskImage;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of one seed, as several processes have written them one after the other.
 *
 * @param reopenings the positions after which the storage was opened again, in order
 */
record CrashHistory(long seed, List<Long> reopenings) {
  CrashHistory {
    reopenings = List.copyOf(reopenings);
  }

  /** The history of what was opened again after a position as well. */
  CrashHistory reopened(long position) {
    List<Long> more = new ArrayList<>(reopenings);
    more.add(position);
    return new CrashHistory(seed, more);
  }

  /** The state after a position: the steps that follow, and what a disk has. */
  record State(ChangeGenerator generator, DiskImage image) {}

  State at(long position) {
    State state = new State(new ChangeGenerator(seed), new DiskImage());
    int next = 0;
    while (true) {
      while (next < reopenings.size() && reopenings.get(next) == state.generator.position()) {
        state.generator.reopened();
        state.image.open();
        next++;
      }
      if (state.generator.position() == position) {
        return state;
      }
      state.generator.next().forEach(state.image::apply);
    }
  }

  /** As an argument of a process. */
  String asText() {
    StringBuilder text = new StringBuilder().append(seed);
    reopenings.forEach(position -> text.append(',').append(position));
    return text.toString();
  }

  static CrashHistory ofText(String text) {
    List<Long> numbers = new ArrayList<>();
    for (String number : text.split(",", -1)) {
      numbers.add(Long.parseLong(number));
    }
    return new CrashHistory(numbers.get(0), numbers.subList(1, numbers.size()));
  }
}
