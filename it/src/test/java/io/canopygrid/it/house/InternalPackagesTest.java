package io.canopygrid.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A package is seen by its own module, and by the other modules that the table names. A class that
 * is public because another package of its module needs it is therefore not public to all. The
 * {@linkplain PublicApi public API} is seen by everybody.
 */
final class InternalPackagesTest {
  private static final String ROOT = "io.canopygrid";

  /** The modules, by their packages below the root. All other packages are of {@code core}. */
  private static final List<String> MODULES =
      List.of(
          "btree",
          "btree.benchmark",
          "btree.simulation",
          "client",
          "commands",
          "console",
          "gmu",
          "gmu.simulation",
          "gmu.storage.rocksdb",
          "history",
          "jcache",
          "jta",
          "junit",
          "micrometer",
          "opentelemetry",
          "roundtrip",
          "server",
          "soak",
          "study",
          "ycsb");

  /** A package, and the other modules that may see it. */
  private static final String SEEN_BY =
      """
      btree.access              : btree.simulation roundtrip server study
      btree.balance             : btree.simulation study
      btree.catalog             : btree.simulation
      btree.check               : btree.simulation soak
      btree.control             : btree.simulation
      btree.crown               : btree.simulation roundtrip study
      btree.embedded            : btree.simulation roundtrip server study
      btree.explain             : server
      btree.feed                : btree.simulation server
      btree.function            : btree.simulation server
      btree.horizon             : server
      btree.hot                 : server
      btree.ledger              : btree.simulation server
      btree.load                : btree.simulation server
      btree.serve               : btree.simulation micrometer roundtrip server study
      btree.simulation          : commands junit
      btree.structure           : server
      btree.subtree             : btree.simulation roundtrip study
      btree.tree                : btree.benchmark btree.simulation study
      btree.upgrade             : server
      clock                     : btree btree.simulation client gmu gmu.simulation gmu.storage.rocksdb roundtrip server study
      codec                     : btree btree.simulation client server
      config                    : server
      console                   : server
      engine                    : btree btree.simulation client gmu server study
      explain                   : btree server
      function                  : btree btree.simulation server
      gmu                       : btree btree.benchmark btree.simulation gmu.simulation gmu.storage.rocksdb junit roundtrip study
      gmu.infinispan            : btree
      gmu.infinispan.bootstrap  : btree
      gmu.infinispan.exchange   : junit roundtrip soak
      gmu.memory                : gmu.simulation
      gmu.message               : gmu.simulation gmu.storage.rocksdb roundtrip study
      gmu.infinispan.tls        : btree
      gmu.node                  : btree btree.simulation gmu.simulation junit roundtrip study
      gmu.protocol              : btree btree.simulation gmu.simulation
      gmu.protocol.copy         : gmu.simulation
      gmu.protocol.hot          : gmu.simulation
      gmu.protocol.read         : gmu.simulation
      gmu.recovery              : gmu.simulation gmu.storage.rocksdb
      gmu.simulation            : btree.simulation commands junit study
      gmu.spi                   : btree btree.benchmark btree.simulation gmu.simulation junit roundtrip study
      gmu.storage               : btree gmu.simulation gmu.storage.rocksdb
      gmu.storage.directory     : btree gmu.storage.rocksdb
      gmu.storage.engine        : btree gmu.storage.rocksdb
      gmu.storage.wal           : gmu.storage.rocksdb
      gmu.store                 : btree btree.simulation gmu.simulation study
      gmu.wire                  : gmu.simulation gmu.storage.rocksdb roundtrip study
      history                   : commands soak
      job                       : server
      micrometer                : server
      names                     : btree btree.simulation client server
      pem                       : gmu server
      recovery                  : btree gmu server
      runtime                   : btree client server
      server.cli                : commands roundtrip soak study ycsb
      server.terminal           : commands roundtrip soak study ycsb
      study.grid                : roundtrip
      table                     : btree client server
      text                      : server
      transaction               : btree client study
      typed                     : server
      wire                      : btree btree.simulation client gmu gmu.storage.rocksdb server study
      wire.client               : client server
      ycsb.bench                : roundtrip
      ycsb.cluster              : roundtrip soak study
      """;

  private static final JavaClasses PRODUCT =
      new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

  @Test
  void eachPackageIsSeenByTheNamedModulesOnly() {
    Map<String, Set<String>> seenBy = new TreeMap<>();
    for (JavaClass one : PRODUCT) {
      for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
        JavaClass seen = dependency.getTargetClass().getBaseComponentType();
        String viewer = moduleOf(one.getPackageName());
        if (isOurs(seen)
            && !PublicApi.contains(seen)
            && !viewer.equals(moduleOf(seen.getPackageName()))) {
          seenBy
              .computeIfAbsent(belowRoot(seen.getPackageName()), name -> new TreeSet<>())
              .add(viewer);
        }
      }
    }
    assertThat(asTable(seenBy))
        .as("what other modules see; a line that is not needed goes")
        .isEqualTo(asTable(allowed()));
  }

  private static Map<String, Set<String>> allowed() {
    Map<String, Set<String>> allowed = new TreeMap<>();
    SEEN_BY
        .lines()
        .forEach(line -> {
          String[] row = line.split(":", -1);
          allowed.put(row[0].strip(), new TreeSet<>(Set.of(row[1].strip().split(" +", -1))));
        });
    return allowed;
  }

  private static String asTable(Map<String, Set<String>> seenBy) {
    return seenBy.entrySet().stream()
        .map(row -> "%-26s: %s".formatted(row.getKey(), String.join(" ", row.getValue())))
        .collect(Collectors.joining("\n"));
  }

  private static boolean isOurs(JavaClass one) {
    return one.getPackageName().equals(ROOT) || one.getPackageName().startsWith(ROOT + ".");
  }

  private static String belowRoot(String name) {
    return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
  }

  /** The module with the longest name that the package begins with. */
  private static String moduleOf(String packageName) {
    String name = belowRoot(packageName);
    return MODULES.stream()
        .filter(module -> name.equals(module) || name.startsWith(module + "."))
        .reduce(
            "core", (one, next) -> one.equals("core") || next.length() > one.length() ? next : one);
  }
}
