package io.canopygrid.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.GridId;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The grids of annotated tests: whose they are, when they begin and end, and wrong uses. */
@Timeout(120)
final class CanopyTestTest {
  private static final List<String> FOR_ALL =
      List.of("Rx", "ForkJoinPool", "VirtualThread-", "MasterPoller");

  private static final List<GridId> GRIDS = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void forget() {
    GRIDS.clear();
  }

  private static void note(Canopy canopy) {
    GRIDS.add(canopy.grid().id());
  }

  private static EngineExecutionResults run(Class<?>... classes) {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter(
            "junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
        .selectors(Arrays.stream(classes).map(one -> selectClass(one)).toList())
        .execute();
  }

  private static void passes(int tests, Class<?>... classes) {
    EngineExecutionResults results = run(classes);
    results.containerEvents().assertStatistics(counts -> counts.failed(0));
    results.testEvents().assertStatistics(counts -> counts.succeeded(tests).failed(0));
  }

  private static void fails(Class<?> one, String message) {
    run(one)
        .allEvents()
        .assertThatEvents()
        .haveAtLeastOne(
            event(
                finishedWithFailure(message((Predicate<String>) text -> text.contains(message)))));
  }

  @CanopyTest
  static final class One {
    @BeforeAll
    static void before(Canopy canopy) {
      note(canopy);
    }

    @Test
    void first(Canopy canopy) {
      note(canopy);
    }

    @Test
    void second(EmbeddedCanopy canopy, CanopyGrid grid) {
      assertThat(grid.node(0)).isSameAs(canopy);
      note(canopy);
    }

    @AfterAll
    static void after(Canopy canopy) {
      note(canopy);
    }
  }

  static final class Two extends Inherits {}

  @CanopyTest
  abstract static class Inherits {
    @Test
    void first(Canopy canopy) {
      note(canopy);
    }
  }

  @Test
  void eachClassHasAGridForAllOfItsMethods() {
    passes(3, One.class, Two.class);
    assertThat(GRIDS).hasSize(5);
    assertThat(new HashSet<>(GRIDS)).hasSize(2);
  }

  @CanopyTest
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static final class OneInstance {
    private final Canopy canopy;

    OneInstance(Canopy canopy) {
      this.canopy = canopy;
    }

    @BeforeAll
    void before() {
      note(canopy);
    }

    @Test
    void test(Canopy same) {
      assertThat(same).isSameAs(canopy);
      note(same);
    }
  }

  @CanopyTest
  static final class AnInstancePerMethod {
    private final Canopy canopy;

    AnInstancePerMethod(Canopy canopy) {
      this.canopy = canopy;
    }

    @RepeatedTest(2)
    void test() {
      note(canopy);
    }
  }

  @Test
  void constructorsGetTheGridOfTheirClass() {
    passes(3, OneInstance.class, AnInstancePerMethod.class);
    assertThat(GRIDS).hasSize(4);
    assertThat(new HashSet<>(GRIDS)).hasSize(2);
  }

  @CanopyTest
  static final class Around {
    @Test
    void outside(Canopy canopy) {
      note(canopy);
    }

    @Nested
    final class Shares {
      @Test
      void inside(Canopy canopy) {
        note(canopy);
      }
    }

    @Nested
    @CanopyTest
    final class HasItsOwn {
      @Test
      void inside(Canopy canopy) {
        note(canopy);
      }
    }

    @CanopyTest
    @RepeatedTest(2)
    void ownOfMethod(Canopy canopy) {
      note(canopy);
    }
  }

  @Test
  void aNestedClassSharesTheGridUnlessItAsksForItsOwnAsAMethodCan() {
    passes(5, Around.class);
    assertThat(GRIDS).hasSize(5);
    assertThat(new HashSet<>(GRIDS)).hasSize(4);
  }

  @CanopyTest(nodes = 0)
  static final class NoNode {
    @Test
    void test() {}
  }

  @CanopyTest(nodes = 10)
  static final class TooManyNodes {
    @Test
    void test() {}
  }

  @CanopyTest
  static final class UnknownParameter {
    @Test
    void test(ClusterConfig config) {}
  }

  @CanopyTest
  static final class ForeignParameter {
    @Test
    void test(String text) {}
  }

  @ExtendWith(CanopyTest.Extension.class)
  static final class WithoutAnnotation {
    @Test
    void test(Canopy canopy) {}
  }

  @Test
  void wrongUseIsToldInWords() {
    fails(NoNode.class, "@CanopyTest: nodes must be 1 to 9: nodes=0");
    fails(TooManyNodes.class, "@CanopyTest: nodes must be 1 to 9: nodes=10");
    fails(
        UnknownParameter.class,
        "@CanopyTest has no ClusterConfig for parameter 'config': take a Canopy or a CanopyGrid");
    fails(
        ForeignParameter.class,
        "No ParameterResolver registered for parameter [java.lang.String text]");
    fails(WithoutAnnotation.class, "asks for a grid with @CanopyTest");
  }

  @CanopyTest(nodes = 3)
  static final class Leaves {
    @Test
    void test(CanopyGrid grid) {
      note(grid.node(2));
      throw new IllegalStateException("fails in the middle");
    }
  }

  @Test
  void threadsEndWithTheClass() throws InterruptedException {
    Set<String> before = threads();
    run(Leaves.class).testEvents().assertStatistics(counts -> counts.failed(1));
    assertThat(GRIDS).hasSize(1);
    for (int i = 0; i < 1_000 && !before.containsAll(threads()); i++) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(before).containsAll(threads());
  }

  /** Without those that libraries, and virtual threads of the JDK, have for the whole JVM. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> FOR_ALL.stream().noneMatch(name::startsWith))
        .collect(Collectors.toSet());
  }
}
