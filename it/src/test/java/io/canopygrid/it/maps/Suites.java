package io.canopygrid.it.maps;

import static org.junit.jupiter.api.Assertions.assertAll;

import java.util.Collections;
import java.util.function.Predicate;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/**
 * Suites of JUnit 3 as dynamic tests of JUnit 5: one for each class of tests, as there are tens of
 * thousands of tests.
 */
final class Suites {
  private Suites() {}

  /**
   * The tests of a suite.
   *
   * @param left the parts that are left out, by their names
   * @param afterEach runs after each test
   */
  static Stream<DynamicNode> nodes(TestSuite suite, Predicate<String> left, Runnable afterEach) {
    return Collections.list(suite.tests()).stream()
        .map(TestSuite.class::cast)
        .filter(part -> !left.test(part.getName()))
        .map(part -> node(part, left, afterEach));
  }

  private static DynamicNode node(TestSuite suite, Predicate<String> left, Runnable afterEach) {
    return suite.testCount() > 0 && suite.testAt(0) instanceof TestSuite
        ? DynamicContainer.dynamicContainer(suite.getName(), nodes(suite, left, afterEach))
        : DynamicTest.dynamicTest(suite.getName(), () -> run(suite, afterEach));
  }

  private static void run(TestSuite suite, Runnable afterEach) {
    TestResult result = new TestResult();
    for (Test test : Collections.list(suite.tests())) {
      try {
        test.run(result);
      } finally {
        afterEach.run();
      }
    }
    assertAll(
        Stream.of(result.failures(), result.errors())
            .flatMap(failed -> Collections.list(failed).stream())
            .map(Suites::failing));
  }

  private static Executable failing(TestFailure failed) {
    return () -> {
      throw new AssertionError(failed.failedTest() + ": " + failed, failed.thrownException());
    };
  }
}
