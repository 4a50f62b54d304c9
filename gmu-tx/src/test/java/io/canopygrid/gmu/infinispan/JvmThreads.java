package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The threads of this JVM, of which a closed grid leaves none. */
final class JvmThreads {
  private JvmThreads() {}

  static Set<Thread> all() {
    return Thread.getAllStackTraces().keySet();
  }

  /** Waits for all that were not there before, but for those that the JVM and JUnit keep. */
  static void assertEnded(Set<Thread> before) throws InterruptedException {
    Set<Thread> left = new HashSet<>(all());
    left.removeAll(before);
    for (Thread thread : left) {
      if (!isKept(thread)) {
        thread.join(TimeUnit.SECONDS.toMillis(10));
        assertThat(thread.isAlive())
            .as("thread %s at %s", thread, List.of(thread.getStackTrace()))
            .isFalse();
      }
    }
  }

  private static boolean isKept(Thread thread) {
    return thread.getName().startsWith("Rx")
        || thread.getName().contains("CompletableFutureDelayScheduler")
        || thread.getName().startsWith("ForkJoinPool.commonPool")
        || thread.getName().startsWith("junit-");
  }
}
