package io.canopygrid.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.File;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of handles in an application's registry. */
final class CanopyMetricsTest {
  private static final Path PAGE = Path.of("../../docs/operate/operations.md");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** A node with data on disk has all metrics of nodes; each is a row of the page. */
  @Test
  void theNamesOfANodeAreThoseOfTheOperationsPage(@TempDir Path disk) throws Exception {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    ClusterConfig config =
        ClusterConfig.of("metered")
            .bindAddress("127.0.0.1")
            .port(0)
            .trustNetwork(true)
            .dataDirectory(disk);
    try (EmbeddedCanopy node = EmbeddedCanopy.join(config)) {
      new CanopyMetrics(node).bindTo(prometheus);
      Set<String> shown =
          prometheus
              .scrape()
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.replaceFirst("[{ ].*", ""))
              .collect(Collectors.toCollection(TreeSet::new));

      Set<String> ofNodes = explained("node|cluster|grid");
      ofNodes.add("canopy_node_topology"); // for those who look for faults of Canopy
      assertThat(shown.stream().filter(name -> !name.startsWith("canopy_transactions_")))
          .containsExactlyInAnyOrderElementsOf(ofNodes);
      assertThat(shown)
          .containsAll(
              explained("transactions").stream()
                  .filter(name -> !name.matches("canopy_transactions_(slow_total|duration_.*)"))
                  .toList());
    }
  }

  /** The names of a kind in the first column of the page's table; a short name ends a row. */
  private static Set<String> explained(String kind) throws Exception {
    Set<String> names = new TreeSet<>();
    Pattern name = Pattern.compile("`(canopy_|_)([a-z_]+)");
    for (String line : Files.readAllLines(PAGE)) {
      if (line.matches("\\| `canopy_(" + kind + ")_.*")) {
        List<String> ofRow = new ArrayList<>();
        name.matcher(line.substring(0, line.indexOf(" | ")))
            .results()
            .forEach(found ->
                ofRow.add(
                    found.group(1).equals("_")
                        ? ofRow.get(0).replaceFirst("_(primary|commits_total)$", "")
                            + "_"
                            + found.group(2)
                        : "canopy_" + found.group(2)));
        names.addAll(ofRow);
      }
    }
    assertThat(names).as("the page's table").isNotEmpty();
    return names;
  }

  @Test
  void countsAreThoseOfTheHandle() {
    try (EmbeddedCanopy node = EmbeddedCanopy.start()) {
      new CanopyMetrics(node).bindTo(registry);
      System.gc(); // the registry keeps what the meters ask
      Index<Long, Long> index = node.index("numbers", Codec.int64(), Codec.int64());
      double before = count(registry, "canopy.transactions.commits");
      node.run(tx -> tx.on(index).put(1L, 1L));

      assertThat(count(registry, "canopy.transactions.commits")).isEqualTo(before + 1);
      assertThat(registry.get("canopy.transactions.latency").tag("quantile", "1").gauge().value())
          .isPositive();
      assertThat(registry.get("canopy.cluster.members").gauge().value()).isEqualTo(1);
      assertThat(registry.get("canopy.node.shards.primary").gauge().value()).isEqualTo(16);
      assertThat(registry.get("canopy.node.ready").gauge().value()).isEqualTo(1);
      assertThat(registry.get("canopy.node.data.info").tag("place", "memory").gauge().value())
          .isEqualTo(1);
    }
  }

  private static double count(MeterRegistry registry, String name) {
    return registry.get(name).functionCounter().count();
  }

  @Test
  void tagsTellHandlesApart() {
    try (Canopy one = EmbeddedCanopy.start();
        Canopy two = EmbeddedCanopy.start()) {
      new CanopyMetrics(one, List.of(Tag.of("handle", "one"))).bindTo(registry);
      new CanopyMetrics(two, List.of(Tag.of("handle", "two"))).bindTo(registry);
      one.index("a", Codec.int64(), Codec.int64());
      one.run(tx -> {});

      assertThat(commits("one")).isPositive();
      assertThat(commits("two")).isZero();
    }
  }

  private double commits(String handle) {
    return registry
        .get("canopy.transactions.commits")
        .tag("handle", handle)
        .functionCounter()
        .count();
  }

  @Test
  void closedMetricsAreGone() {
    try (Canopy node = EmbeddedCanopy.start()) {
      CanopyMetrics metrics = new CanopyMetrics(node);
      metrics.bindTo(registry);
      assertThat(registry.getMeters()).isNotEmpty();
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  /** A closed handle breaks no registry: its counts stay, its node's values are none. */
  @Test
  void aClosedHandleDoesNoHarm() {
    EmbeddedCanopy node = EmbeddedCanopy.start();
    new CanopyMetrics(node).bindTo(registry);
    node.run(tx -> {});
    node.close();
    for (Meter meter : registry.getMeters()) {
      meter.measure().forEach(measurement -> measurement.getValue());
    }
    assertThat(count(registry, "canopy.transactions.commits")).isEqualTo(1);
  }

  /** A program that is a client has no class of nodes. */
  @Test
  void aHandleIsMeteredWithoutTheClassesOfNodes() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (!path.toString().contains("index-btree") || path.endsWith(ownClasses())) {
        urls.add(path.toUri().toURL());
      }
    }
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader clients = new URLClassLoader(urls.toArray(URL[]::new), platform)) {
      Class<?> handle = clients.loadClass(Canopy.class.getName());
      Object canopy =
          Proxy.newProxyInstance(clients, new Class<?>[] {handle}, (proxy, method, args) -> null);
      Class<?> registries = clients.loadClass(MeterRegistry.class.getName());
      Object own =
          clients
              .loadClass(SimpleMeterRegistry.class.getName())
              .getDeclaredConstructor()
              .newInstance();
      Class<?> type = clients.loadClass(CanopyMetrics.class.getName());
      Object metrics = type.getConstructor(handle).newInstance(canopy);
      type.getMethod("bindTo", registries).invoke(metrics, own);

      assertThat((List<?>) registries.getMethod("getMeters").invoke(own)).isNotEmpty();
    }
  }

  private static Path ownClasses() {
    return Path.of("micrometer", "target", "classes");
  }
}
