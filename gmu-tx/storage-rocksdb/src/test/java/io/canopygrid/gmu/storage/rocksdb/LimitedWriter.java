package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A process whose files must not grow beyond some size. It writes steps until that fails, and says
 * which was the last one, and how writing, writing once more, and forcing have ended.
 */
final class LimitedWriter {
  private static final int BYTES_MAX = 400_000;
  private static final int STEPS_MAX = 100_000;

  private LimitedWriter() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    CrashHistory history = CrashHistory.ofText(args[1]);
    RocksStorage storage = TestEngine.open(Path.of(args[0]), EngineLimits.DEFAULT);
    // Now that the native library is unpacked, which is larger.
    new ProcessBuilder(
            "prlimit", "--fsize=" + BYTES_MAX, "--pid", "" + ProcessHandle.current().pid())
        .inheritIO()
        .start()
        .waitFor();
    ChangeGenerator generator = history.at(storage.openedAt()).generator();
    long[] written = {storage.openedAt()};
    String first =
        endOf(() -> {
          while (written[0] < STEPS_MAX) {
            storage.write(List.of(new Batch(generator.position() + 1, generator.next())));
            written[0] = generator.position();
          }
        });
    System.out.println(written[0]);
    System.out.println(first);
    System.out.println(endOf(() -> storage.write(List.of(new Batch(STEPS_MAX + 1, List.of())))));
    System.out.println(endOf(storage::force));
    storage.close();
  }

  private static String endOf(Runnable use) {
    try {
      use.run();
      return "well";
    } catch (StorageException e) {
      return e.reason().name();
    }
  }
}
