package io.canopygrid.ycsb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ports of nodes are nobody else's. */
final class FreePortsTest {
  /** A process begins again only after some ninety ports. */
  private static final int MANY = 150;

  /** As many as nodes have, with the hundreds above them. */
  private static Set<Integer> withDerived(List<Integer> ports) {
    Set<Integer> all = new HashSet<>();
    for (int port : ports) {
      all.addAll(List.of(port, port + 100, port + 200));
    }
    return all;
  }

  @Test
  void portsOfOneProcessAreApart() throws IOException {
    assertThat(withDerived(FreePorts.pick(MANY))).hasSize(3 * MANY);
  }

  /** Another class loader has the class once more, as another process has. */
  @Test
  void anotherProcessPicksOthersThoughNobodyListens() throws Exception {
    URL[] places = {FreePorts.class.getProtectionDomain().getCodeSource().getLocation()};
    ClassLoader parent =
        new ClassLoader(FreePortsTest.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(FreePorts.class.getName())) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    try (URLClassLoader other = new URLClassLoader(places, parent)) {
      Class<?> again = Class.forName(FreePorts.class.getName(), true, other);
      List<?> theirs = (List<?>) again.getMethod("pick", int.class).invoke(null, 5);

      assertThat(again).isNotEqualTo(FreePorts.class);
      assertThat(FreePorts.pick(MANY))
          .doesNotContainAnyElementsOf(theirs.stream().map(port -> (Integer) port).toList());
    }
  }
}
