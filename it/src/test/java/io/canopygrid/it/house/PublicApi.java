package io.canopygrid.it.house;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;

/** The types that users write into their programs and files; all others are internal. */
final class PublicApi {
  /** The one package that is public as a whole. */
  private static final String ROOT = "io.canopygrid";

  /** Types that users name in Java, in packages that are otherwise internal. */
  private static final Set<String> BY_TYPE =
      Set.of(
          "io.canopygrid.btree.embedded.EmbeddedCanopy",
          "io.canopygrid.client.ClientOptions",
          "io.canopygrid.client.RemoteCanopy",
          "io.canopygrid.config.ClusterConfigFile",
          "io.canopygrid.jcache.CanopyCachingProvider",
          "io.canopygrid.jcache.CanopyConfiguration",
          "io.canopygrid.jta.JtaCanopy",
          "io.canopygrid.junit.CanopyGrid",
          "io.canopygrid.junit.CanopyTest",
          "io.canopygrid.junit.simulation.CanopySimulation",
          "io.canopygrid.junit.simulation.ClientBody",
          "io.canopygrid.junit.simulation.GridFault",
          "io.canopygrid.junit.simulation.Scenario",
          "io.canopygrid.junit.simulation.ScenarioClient",
          "io.canopygrid.junit.simulation.SimulationFailure",
          "io.canopygrid.junit.simulation.SimulationReport",
          "io.canopygrid.micrometer.CanopyMetrics",
          "io.canopygrid.opentelemetry.TransactionSpans",
          "io.canopygrid.stats.Latency");

  private PublicApi() {}

  /** Whether a class is of the API; a nested class is what the class around it is. */
  static boolean contains(JavaClass one) {
    return one.getPackageName().equals(ROOT) || BY_TYPE.contains(topLevel(one));
  }

  /** The name of a class, or of the class around a nested one. */
  static String topLevel(JavaClass one) {
    String name = one.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
