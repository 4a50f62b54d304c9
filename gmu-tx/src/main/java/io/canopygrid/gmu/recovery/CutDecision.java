package io.canopygrid.gmu.recovery;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what of its commits a grid keeps that is founded from disks of which a power cut may have
 * taken what was written last (docs/internals/recovery.md, The cut). In each shard it is what all
 * owners that are there have without a gap. So the owners go on with what they have, and none has
 * to be brought up to the others.
 */
final class CutDecision {
  private CutDecision() {}

  /**
   * The disks, without the copies that are not to be believed: what is below the horizon was forced
   * at every owner. A copy that lacks some of that is older than its disk's topology says: the disk
   * was put back from somewhere, or says that it has forced what it has not.
   */
  static List<Standing> believed(List<Standing> standings) {
    if (standings.stream().noneMatch(Standing::mayLack)) {
      return standings;
    }
    VectorClock horizon =
        standings.stream().map(Standing::horizon).reduce(VectorClock.ZERO, VectorClock::join);
    return standings.stream().map(each -> each.withoutBehind(horizon)).toList();
  }

  /**
   * By shard the number up to which commits are kept; null: all are.
   *
   * @param there the disks that count
   * @param owners by shard those that own it in the new grid
   * @param empty the shards that begin empty
   */
  static @Nullable VectorClock of(
      Topology newest,
      Collection<Standing> there,
      List<List<DiskId>> owners,
      Collection<Integer> empty) {
    List<Cut> begun = begun(newest, there);
    if (begun.isEmpty() && there.stream().noneMatch(Standing::mayLack)) {
      return null;
    }
    Map<DiskId, Standing> disks = new HashMap<>();
    there.forEach(each -> disks.put(each.disk(), each));
    long[] numbers = new long[owners.size()];
    for (int shard = 0; shard < numbers.length; shard++) {
      numbers[shard] = Cut.UNLIMITED;
      for (DiskId owner : empty.contains(shard) ? List.<DiskId>of() : owners.get(shard)) {
        Standing disk = disks.get(owner);
        long has = disk == null ? 0 : disk.upTo().get(shard);
        numbers[shard] = Math.min(numbers[shard], has);
      }
    }
    VectorClock kept = clock(numbers);
    for (Cut cut : begun) {
      kept = kept.meet(cut.upTo());
    }
    return kept;
  }

  /**
   * The cuts of the newest topology, unless it is known that all of its members have made them: the
   * disks that have made one lack what it has taken.
   */
  static List<Cut> begun(Topology newest, Collection<Standing> there) {
    List<Standing> installed =
        there.stream().filter(each -> newest.equals(each.installed())).toList();
    boolean isMade = installed.stream().map(Standing::over).anyMatch(CutDecision::isNone);
    return isMade
        ? List.of()
        : installed.stream().map(Standing::cut).filter(Objects::nonNull).toList();
  }

  private static boolean isNone(@Nullable List<Topology> over) {
    return over != null && over.isEmpty();
  }

  /** The clock at which transactions begin after a cut: where nothing is cut, what was seen. */
  static VectorClock begin(VectorClock kept, VectorClock seen) {
    long[] numbers = new long[kept.size() == 0 ? 0 : kept.shardAt(kept.size() - 1) + 1];
    for (int i = 0; i < kept.size(); i++) {
      int shard = kept.shardAt(i);
      long number = kept.numberAt(i);
      numbers[shard] = number == Cut.UNLIMITED ? seen.get(shard) : number;
    }
    return clock(numbers);
  }

  private static VectorClock clock(long[] numbers) {
    int[] shards = IntStream.range(0, numbers.length).filter(s -> numbers[s] > 0).toArray();
    return VectorClock.of(shards, IntStream.of(shards).mapToLong(s -> numbers[s]).toArray());
  }
}
