package io.canopygrid.it.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.AccessTarget.ConstructorCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** Arrows between modules and packages point down only (docs/ARCHITECTURE.md). */
@AnalyzeClasses(packages = "io.canopygrid", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule MODULES =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("core")
          .definedBy(
              "io.canopygrid",
              "io.canopygrid.clock",
              "io.canopygrid.codec",
              "io.canopygrid.config",
              "io.canopygrid.engine",
              "io.canopygrid.explain",
              "io.canopygrid.function",
              "io.canopygrid.map",
              "io.canopygrid.names",
              "io.canopygrid.recovery",
              "io.canopygrid.runtime",
              "io.canopygrid.stats",
              "io.canopygrid.stream",
              "io.canopygrid.table",
              "io.canopygrid.text",
              "io.canopygrid.transaction",
              "io.canopygrid.typed",
              "io.canopygrid.wire",
              "io.canopygrid.wire.client",
              "io.canopygrid.xa")
          .layer("gmu-tx")
          .definedBy("io.canopygrid.gmu..")
          .layer("index-btree")
          .definedBy("io.canopygrid.btree..")
          .layer("server")
          .definedBy("io.canopygrid.server..")
          .layer("console")
          .definedBy("io.canopygrid.console..")
          .layer("client")
          .definedBy("io.canopygrid.client..")
          .layer("ycsb-binding")
          .definedBy("io.canopygrid.ycsb..")
          .layer("junit")
          .definedBy("io.canopygrid.junit..")
          .layer("micrometer")
          .definedBy("io.canopygrid.micrometer..")
          .layer("jta")
          .definedBy("io.canopygrid.jta..")
          .layer("opentelemetry")
          .definedBy("io.canopygrid.opentelemetry..")
          .layer("jcache")
          .definedBy("io.canopygrid.jcache..")
          .layer("history")
          .definedBy("io.canopygrid.history..")
          .layer("soak")
          .definedBy("io.canopygrid.soak..")
          .layer("study")
          .definedBy("io.canopygrid.study..")
          .layer("roundtrip")
          .definedBy("io.canopygrid.roundtrip..")
          .layer("command-line")
          .definedBy("io.canopygrid.commands..")
          .whereLayer("command-line")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("junit")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("micrometer")
          .mayOnlyBeAccessedByLayers("server")
          .whereLayer("jta")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("opentelemetry")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("jcache")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("roundtrip")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("soak")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("study")
          .mayOnlyBeAccessedByLayers("roundtrip")
          .whereLayer("history")
          .mayOnlyBeAccessedByLayers("soak", "command-line")
          .whereLayer("ycsb-binding")
          .mayOnlyBeAccessedByLayers("soak", "study", "roundtrip")
          .whereLayer("client")
          .mayOnlyBeAccessedByLayers("jcache", "server", "ycsb-binding", "soak")
          .whereLayer("server")
          .mayOnlyBeAccessedByLayers("ycsb-binding", "soak", "study", "roundtrip", "command-line")
          .whereLayer("console")
          .mayOnlyBeAccessedByLayers("server")
          .whereLayer("index-btree")
          .mayOnlyBeAccessedByLayers(
              "jcache",
              "junit",
              "micrometer",
              "server",
              "ycsb-binding",
              "soak",
              "study",
              "roundtrip",
              "command-line")
          .whereLayer("gmu-tx")
          .mayOnlyBeAccessedByLayers(
              "index-btree", "junit", "soak", "study", "roundtrip", "command-line")
          .as(
              "modules: core <- gmu-tx <- index-btree <- server <- ycsb-binding <- soak, study <-"
                  + " roundtrip; index-btree <- micrometer <- server; index-btree <- junit; core <- client <- server; client, index-btree <- jcache; core <- opentelemetry, jta; console <- server; all commands end in the command line");

  @ArchTest
  static final ArchRule SIMULATION_AND_BENCHMARKS_ARE_ASIDE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "..simulation..",
              "..benchmark..",
              "io.canopygrid.study..",
              "io.canopygrid.commands..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..simulation..", "..benchmark..")
          .as("the product knows neither the simulation nor the benchmarks");

  @ArchTest
  static final ArchRule HISTORIES_ARE_CHECKED_INDEPENDENTLY =
      noClasses()
          .that()
          .resideInAPackage("io.canopygrid.history..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.canopygrid..")
                  .and(resideOutsideOfPackage("io.canopygrid.history..")))
          .as("the checker of histories imports nothing of Canopy");

  @ArchTest
  static final ArchRule CORE_BELOW_THE_API =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.canopygrid.clock",
              "io.canopygrid.codec",
              "io.canopygrid.stats",
              "io.canopygrid.text",
              "io.canopygrid.wire")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.canopygrid",
              "io.canopygrid.engine..",
              "io.canopygrid.function..",
              "io.canopygrid.map..",
              "io.canopygrid.names..",
              "io.canopygrid.runtime..",
              "io.canopygrid.stream..",
              "io.canopygrid.table..",
              "io.canopygrid.transaction..",
              "io.canopygrid.typed..",
              "io.canopygrid.xa..")
          .as("clocks, encodings, statistics, texts and bytes know nothing of the API above them");

  @ArchTest
  static final ArchRule CORE_ABOVE_THE_API =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("runtime")
          .definedBy("io.canopygrid.runtime")
          .layer("stream")
          .definedBy("io.canopygrid.stream")
          .layer("xa")
          .definedBy("io.canopygrid.xa")
          .layer("function")
          .definedBy("io.canopygrid.function")
          .layer("transaction")
          .definedBy("io.canopygrid.transaction")
          .layer("table")
          .definedBy("io.canopygrid.table")
          .layer("typed")
          .definedBy("io.canopygrid.typed")
          .layer("engine")
          .definedBy("io.canopygrid.engine")
          .layer("names")
          .definedBy("io.canopygrid.names")
          .layer("map")
          .definedBy("io.canopygrid.map")
          .layer("API")
          .definedBy("io.canopygrid")
          .whereLayer("runtime")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("function")
          .mayOnlyBeAccessedByLayers("runtime")
          .whereLayer("stream")
          .mayOnlyBeAccessedByLayers("runtime")
          .whereLayer("xa")
          .mayOnlyBeAccessedByLayers("runtime")
          .whereLayer("transaction")
          .mayOnlyBeAccessedByLayers("runtime", "function", "stream", "xa")
          .whereLayer("table")
          .mayOnlyBeAccessedByLayers("runtime", "transaction")
          .whereLayer("typed")
          .mayOnlyBeAccessedByLayers("runtime", "function", "transaction", "table")
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers("runtime", "function", "transaction", "table", "typed", "xa")
          .whereLayer("map")
          .mayOnlyBeAccessedByLayers("runtime", "typed")
          .whereLayer("names")
          .mayOnlyBeAccessedByLayers(
              "runtime", "function", "transaction", "table", "typed", "engine")
          .as(
              "core: API <- names <- engine <- typed <- table <- transaction <- function <-"
                  + " runtime; transaction <- stream, xa <- runtime; API <- map <- typed");

  @ArchTest
  static final ArchRule CLIENT =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("client")
          .definedBy("io.canopygrid.client")
          .layer("transaction")
          .definedBy("io.canopygrid.client.transaction")
          .layer("server")
          .definedBy("io.canopygrid.client.server")
          .layer("netty")
          .definedBy("io.canopygrid.client.netty")
          .whereLayer("client")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("transaction")
          .mayOnlyBeAccessedByLayers("client")
          .whereLayer("server")
          .mayOnlyBeAccessedByLayers("client", "transaction")
          .as("client: netty <- server <- transaction <- client");

  @ArchTest
  static final ArchRule CLIENTS_HAVE_THEIR_OWN_PROTOCOL =
      noClasses()
          .that()
          .resideInAnyPackage("io.canopygrid.gmu..", "io.canopygrid.btree..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.canopygrid.wire.client..")
          .as("messages between nodes and those of clients have versions of their own");

  @ArchTest
  static final ArchRule ONE_ADAPTER =
      noClasses()
          .that()
          .resideInAPackage("io.canopygrid..")
          .and()
          .resideOutsideOfPackage("io.canopygrid.gmu.infinispan..")
          .and()
          .doNotHaveFullyQualifiedName("io.canopygrid.btree.embedded.EmbeddedCanopy")
          .and()
          .doNotHaveFullyQualifiedName("io.canopygrid.btree.embedded.ClusterJoin")
          .and()
          .haveNameNotMatching("io\\.canopygrid\\.soak\\.cluster\\.FaultyLink.*")
          .and()
          .haveNameNotMatching("io\\.canopygrid\\.junit\\.SeverableLink.*")
          .and()
          .resideOutsideOfPackage("io.canopygrid.roundtrip.jgroups")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.infinispan..", "org.jgroups..")
          .as(
              "Infinispan and JGroups are known in gmu.infinispan only; EmbeddedCanopy takes the"
                  + " user's cache manager, faults are injected between the two, and a benchmark"
                  + " compares with JGroups alone");

  @ArchTest
  static final ArchRule PROTOCOL_IS_SANS_IO =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.canopygrid.gmu.message..",
              "io.canopygrid.gmu.protocol..",
              "io.canopygrid.gmu.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.util.concurrent..",
              "java.io..",
              "java.net..",
              "java.nio.channels..",
              "org.slf4j..")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .as("the protocol and its stores know no threads, clocks, sockets or libraries");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.canopygrid.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NAMES =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Impl");

  @ArchTest
  static final ArchRule NO_EXIT =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.canopygrid.server..", "io.canopygrid.ycsb..")
          .should()
          .callMethod(System.class, "exit", int.class)
          .as("a library does not end the JVM");

  /** The classes that look at a wall clock, which other nodes do not agree with. */
  private static final List<String> WALL_CLOCKS =
      List.of(
          // The grid's time begins with one. It is then on its own (decision 7).
          "io.canopygrid.btree.ledger.MachineTime",
          // Shown to people. It also tells two snapshots apart that had the same name one after the
          // other, unless their times are the same to the millisecond.
          "io.canopygrid.btree.catalog.NamedSnapshots",
          // Shown to people, and nothing is decided by it.
          "io.canopygrid.btree.control.ChangeLog$Running",
          "io.canopygrid.btree.catalog.Founding",
          "io.canopygrid.server.shell.StatusView",
          "io.canopygrid.server.diag.DiagCommand",
          "io.canopygrid.explain.Explanation",
          "io.canopygrid.server.endpoint.jobs.ServerJobs",
          // Spans and exemplars have the time that their collector shows.
          "io.canopygrid.server.endpoint.traces.EpochNanos",
          "io.canopygrid.server.endpoint.traces.TracedLatencies",
          // Entries of caches expire by them, unless the user has another clock.
          "io.canopygrid.jcache.ManagerProperties",
          // Certificates are valid by wall clocks.
          "io.canopygrid.server.security.PemTls",
          "io.canopygrid.gmu.infinispan.tls.ExpiryWarning",
          // These are in the headers of recorded histories.
          "io.canopygrid.soak.Round",
          "io.canopygrid.soak.cluster.HistoryRun");

  @ArchTest
  static final ArchRule NOTHING_HANGS_ON_WALL_CLOCKS =
      noClasses()
          .that(describe("are not listed", c -> !WALL_CLOCKS.contains(c.getName())))
          .should()
          .accessTargetWhere(describe("reads a wall clock", ArchitectureTest::isOfWallClock))
          .as("what is decided by a time is decided by a monotonic clock or by the grid's time");

  private static boolean isOfWallClock(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getTarget().getName();
    return (owner.equals("java.lang.System") && name.equals("currentTimeMillis"))
        || (owner.startsWith("java.time.") && (name.equals("now") || name.startsWith("system")))
        || (owner.equals("java.util.Date")
            && access.getTarget() instanceof ConstructorCallTarget made
            && made.getRawParameterTypes().isEmpty());
  }

  @ArchTest
  static final ArchRule PACKAGES_ARE_NULL_MARKED =
      classes()
          .that()
          .haveSimpleName("package-info")
          .should()
          .beAnnotatedWith("org.jspecify.annotations.NullMarked");
}
