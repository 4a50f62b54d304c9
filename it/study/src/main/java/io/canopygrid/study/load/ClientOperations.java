package io.canopygrid.study.load;

import io.canopygrid.study.tree.Operation;
import java.util.SplittableRandom;

/** Chooses one client's operations; the same seed chooses the same. Confined to one thread. */
public final class ClientOperations {
  /** The longest scan. */
  public static final int SCAN_MAX = 100;

  private final StudyWorkload workload;
  private final Records records;
  private final boolean uniform;
  private final SplittableRandom random;

  /** A client of some records. */
  public ClientOperations(StudyWorkload workload, Records records, long seed) {
    this(workload, records, false, seed);
  }

  /**
   * A client of some records.
   *
   * @param uniform all loaded keys are asked for as often, where the workload would prefer a few
   */
  public ClientOperations(StudyWorkload workload, Records records, boolean uniform, long seed) {
    this.workload = workload;
    this.records = records;
    this.uniform = uniform;
    this.random = new SplittableRandom(seed);
  }

  /** The next operation. */
  public Operation next() {
    int choice = random.nextInt(100);
    if (choice < workload.gets) {
      return Operation.get(key());
    }
    choice -= workload.gets;
    if (choice < workload.puts) {
      return Operation.put(key(), Records.value(random.nextInt()));
    }
    choice -= workload.puts;
    if (choice < workload.inserts) {
      return Operation.put(Records.key(records.next()), Records.value(0));
    }
    choice -= workload.inserts;
    if (choice < workload.scans) {
      return Operation.scan(
          key(), workload.scansHundred() ? SCAN_MAX : 1 + random.nextInt(SCAN_MAX));
    }
    return Operation.readModifyWrite(key());
  }

  private byte[] key() {
    double chance = random.nextDouble();
    return Records.key(
        switch (workload.keys) {
          case UNIFORM -> records.uniform(chance);
          case ZIPF -> uniform ? records.uniform(chance) : records.zipf(chance);
          case LATEST -> records.latest(chance);
        });
  }
}
