package io.canopygrid.it.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Arrows between modules and packages point down only (docs/ARCHITECTURE.md). */
@AnalyzeClasses(
    packages = "io.canopygrid",
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
final class ArchitectureTest {
  /** Leaves out the simulation, which other modules ship as tests. */
  static final class NoTestJars implements ImportOption {
    /** For ArchUnit. */
    NoTestJars() {}

    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

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
              "io.canopygrid.spi",
              "io.canopygrid.stats",
              "io.canopygrid.wire",
              "io.canopygrid.wire.client")
          .layer("gmu-tx")
          .definedBy("io.canopygrid.gmu..")
          .layer("index-btree")
          .definedBy("io.canopygrid.btree..")
          .layer("server")
          .definedBy("io.canopygrid.server..")
          .layer("client")
          .definedBy("io.canopygrid.client..")
          .layer("ycsb-binding")
          .definedBy("io.canopygrid.ycsb..")
          .layer("it")
          .definedBy("io.canopygrid.it..")
          .whereLayer("it")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("ycsb-binding")
          .mayOnlyBeAccessedByLayers("it")
          .whereLayer("client")
          .mayOnlyBeAccessedByLayers("server", "ycsb-binding", "it")
          .whereLayer("server")
          .mayOnlyBeAccessedByLayers("ycsb-binding", "it")
          .whereLayer("index-btree")
          .mayOnlyBeAccessedByLayers("server", "ycsb-binding", "it")
          .whereLayer("gmu-tx")
          .mayOnlyBeAccessedByLayers("index-btree", "it")
          .as(
              "modules: core <- gmu-tx <- index-btree <- server <- ycsb-binding <- it; core <- client <-"
                  + " server");

  @ArchTest
  static final ArchRule CORE_BELOW_THE_API =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.canopygrid.clock",
              "io.canopygrid.codec",
              "io.canopygrid.config",
              "io.canopygrid.stats",
              "io.canopygrid.wire")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.canopygrid", "io.canopygrid.spi")
          .as("clocks, encodings, statistics and bytes know nothing of the API that uses them");

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
          .haveNameNotMatching("io\\.canopygrid\\.it\\.cluster\\.FaultyLink.*")
          .and()
          .resideOutsideOfPackage("io.canopygrid.it.roundtrip.jgroups")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.infinispan..", "org.jgroups..")
          .as(
              "Infinispan and JGroups are known in gmu.infinispan only; EmbeddedCanopy takes"
                  + " the user's cache manager, faults are injected between the two, and a benchmark"
                  + " compares with JGroups alone");

  @ArchTest
  static final ArchRule PROTOCOL_IS_SANS_IO =
      noClasses()
          .that()
          .resideInAnyPackage("io.canopygrid.gmu.protocol..", "io.canopygrid.gmu.store..")
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
      slices().matching("io.canopygrid.(*).(*)..").should().beFreeOfCycles();

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

  @ArchTest
  static final ArchRule PACKAGES_ARE_NULL_MARKED =
      classes()
          .that()
          .haveSimpleName("package-info")
          .should()
          .beAnnotatedWith("org.jspecify.annotations.NullMarked");
}
