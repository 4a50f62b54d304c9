package io.canopygrid.it.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;
import org.testng.annotations.Test;

/** The tests that Reactive Streams has for publishers, which are written for TestNG. */
@NullUnmarked // a publisher that fails at once is none of ours
final class PublisherRules extends FlowPublisherVerification<Map.Entry<String, String>> {
  /** The most entries that the tests ask for. */
  static final int ENTRIES_MAX = 50;

  private static final long TIMEOUT_MILLIS = 2_000;

  /** A time in which nothing may come where nothing is to come. */
  private static final long SILENCE_MILLIS = 50;

  private final LongFunction<Flow.Publisher<Map.Entry<String, String>>> publisher;

  private PublisherRules(LongFunction<Flow.Publisher<Map.Entry<String, String>>> publisher) {
    super(new TestEnvironment(TIMEOUT_MILLIS, SILENCE_MILLIS));
    this.publisher = publisher;
  }

  /**
   * All tests.
   *
   * @param publisher makes one of so many entries
   */
  static Stream<DynamicTest> of(LongFunction<Flow.Publisher<Map.Entry<String, String>>> publisher) {
    return Arrays.stream(PublisherRules.class.getMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .sorted(Comparator.comparing(Method::getName))
        .map(method ->
            DynamicTest.dynamicTest(
                method.getName(), () -> run(method, new PublisherRules(publisher))));
  }

  private static void run(Method test, PublisherRules rules) throws Throwable {
    rules.setUp();
    try {
      test.invoke(rules);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause instanceof SkipException
          ? new TestAbortedException(cause.getMessage(), cause)
          : cause;
    }
  }

  @Override
  public Flow.Publisher<Map.Entry<String, String>> createFlowPublisher(long elements) {
    return publisher.apply(elements);
  }

  /** An error comes with the first request, not before: there is none that fails at once. */
  @Override
  public Flow.Publisher<Map.Entry<String, String>> createFailedFlowPublisher() {
    return null;
  }

  @Override
  public long maxElementsFromPublisher() {
    return ENTRIES_MAX;
  }
}
