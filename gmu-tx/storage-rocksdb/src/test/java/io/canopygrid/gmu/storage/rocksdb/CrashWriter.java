package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process that writes steps and says up to where its writes have returned, until it is killed.
 */
final class CrashWriter {
  /** The process ends by itself after so many steps if nobody kills it. */
  private static final int STEPS_MAX = 200_000;

  private CrashWriter() {}

  public static void main(String[] args) throws IOException {
    CrashHistory history = CrashHistory.ofText(args[1]);
    say(0);
    try (Storage storage = TestEngine.open(Path.of(args[0]))) {
      long from = storage.openedAt();
      ChangeGenerator generator = history.reopened(from).at(from).generator();
      say(from);
      Random random = new Random(history.seed() + from);
      while (generator.position() < from + STEPS_MAX) {
        List<Batch> group = new ArrayList<>();
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
          List<StorageChange> changes = generator.next();
          group.add(new Batch(generator.position(), changes));
        }
        storage.write(group);
        say(generator.position());
        if (random.nextInt(50) == 0) {
          storage.force();
        }
      }
    }
  }

  /** One call of the system for each line, so that a line is there whole or not at all. */
  private static void say(long position) throws IOException {
    System.out.write((position + "\n").getBytes(StandardCharsets.US_ASCII));
    System.out.flush();
  }
}
