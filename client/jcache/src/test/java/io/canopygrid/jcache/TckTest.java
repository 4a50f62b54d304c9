package io.canopygrid.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.canopygrid.Canopy;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.cache.CacheManager;
import javax.cache.Caching;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;

/** JSR 107's Technology Compatibility Kit, on a node in this JVM. */
final class TckTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          CanopyCachingProvider.URI_PROPERTY,
          CanopyCachingProvider.STANDALONE,
          "javax.cache.CacheManager",
          Canopy.class.getName(),
          "javax.cache.Cache",
          IndexCache.class.getName(),
          "javax.cache.Cache.Entry",
          "io.canopygrid.jcache.entry.CacheEntry");

  /** Keeps the node, which the last manager of it closes. */
  private static @Nullable CacheManager keeper;

  @BeforeAll
  static void start() {
    SETTINGS.forEach(System::setProperty);
    keeper = new CanopyCachingProvider().getCacheManager();
  }

  @AfterAll
  static void end() {
    Caching.getCachingProvider().close();
    if (keeper != null) {
      keeper.close();
    }
    SETTINGS.keySet().forEach(System::clearProperty);
  }

  @TestFactory
  Stream<DynamicContainer> all() throws Exception {
    return Tck.classes().stream()
        .map(one ->
            dynamicContainer(
                one.getName(),
                Tck.tests(one).stream()
                    .filter(test -> Tck.reason(one, test) == null)
                    .map(test -> dynamicTest(test.getMethodName(), () -> run(one, test)))));
  }

  private static void run(Class<?> of, Description test) throws Throwable {
    Result result = new JUnitCore().run(Request.aClass(of).filterWith(test));
    for (Failure failure : result.getFailures()) {
      throw failure.getException();
    }
    Assumptions.assumeTrue(result.getIgnoreCount() == 0, "the kit leaves it out itself");
    assertThat(result.getRunCount()).isEqualTo(1);
  }

  @Test
  void whatIsLeftOutExists() throws Exception {
    Set<String> known = new TreeSet<>();
    for (Class<?> one : Tck.classes()) {
      known.add(one.getPackageName() + ".*");
      known.add(one.getName() + "#*");
      Tck.tests(one).forEach(test -> known.add(Tck.nameOf(one, test)));
    }
    assertThat(known).containsAll(Tck.EXCLUDED.keySet());
  }
}
