package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jgroups.stack.Protocol;

/** The stack that Canopy ships, changed for a test. */
final class StackFile {
  private static final String MERGES = "<MERGE3 min_interval=\"1s\" max_interval=\"3s\"/>";

  private StackFile() {}

  /**
   * Writes a stack with one more protocol, right above the transport.
   *
   * @param merges whether nodes look for those that they have lost
   */
  static Path with(Class<? extends Protocol> protocol, boolean merges, Path directory)
      throws IOException {
    try (InputStream in = OwnInfinispan.class.getResourceAsStream("canopy-stack.xml")) {
      assertThat(in).isNotNull();
      String own = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(own).contains(MERGES).contains("<TCPPING");
      return Files.writeString(
          directory.resolve("stack.xml"),
          own.replace("<TCPPING", "<" + protocol.getName() + "/><TCPPING")
              .replace(MERGES, merges ? MERGES : ""));
    }
  }
}
