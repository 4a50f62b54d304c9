package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The reads that wait at a primary until a commit that their snapshot knows is applied. */
final class ReadWaits {
  private final TreeMap<Long, List<Waiting>> byNumber = new TreeMap<>();
  private int size;

  /** A read and who asks. */
  record Waiting(NodeId source, Read read) {}

  /** Adds a read, unless it waits already and was only asked again. */
  void add(NodeId source, Read read) {
    long number = read.clock().get(read.shard());
    List<Waiting> same = byNumber.computeIfAbsent(number, n -> new ArrayList<>(2));
    for (Waiting waiting : same) {
      if (waiting.source.equals(source) && waiting.read.request() == read.request()) {
        return;
      }
    }
    same.add(new Waiting(source, read));
    size++;
  }

  /** Takes those that wait for no more than this number. */
  List<Waiting> take(long applied) {
    if (byNumber.isEmpty() || byNumber.firstKey() > applied) {
      return List.of();
    }
    List<Waiting> taken = new ArrayList<>();
    Map<Long, List<Waiting>> head = byNumber.headMap(applied, true);
    head.values().forEach(taken::addAll);
    head.clear();
    size -= taken.size();
    return taken;
  }

  /** The highest number that a read waits for, up to this one; 0: none. */
  long awaited(long upTo) {
    Long number = byNumber.floorKey(upTo);
    return number == null ? 0 : number;
  }

  void clear() {
    byNumber.clear();
    size = 0;
  }

  int size() {
    return size;
  }
}
