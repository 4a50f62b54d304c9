package io.canopygrid.gmu.infinispan.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jgroups.stack.Protocol;

/** The stack that Canopy ships, changed for a test. */
public final class StackFile {
  private static final String TOP = "<FORK/>";
  private static final String EXCHANGES = "<" + ExchangeProtocol.class.getName();
  private static final String MERGES = "<MERGE3 min_interval=\"1s\" max_interval=\"3s\"/>";

  private StackFile() {}

  /**
   * Writes a stack with one more protocol, right above the transport.
   *
   * @param exchanges which those have that are beside the channel
   * @param merges whether nodes look for those that they have lost
   */
  public static Path with(
      Class<? extends Protocol> protocol,
      Class<? extends ExchangeProtocol> exchanges,
      boolean merges,
      Path directory)
      throws IOException {
    String own = own();
    assertThat(own).contains(MERGES).contains("<TCPPING").contains(EXCHANGES);
    return write(
        own.replace(EXCHANGES, "<" + exchanges.getName())
            .replace("<TCPPING", "<" + protocol.getName() + "/><TCPPING")
            .replace(MERGES, merges ? MERGES : ""),
        directory);
  }

  /** Writes a stack with one more protocol, between it and Infinispan; forks do not use it. */
  static Path onTop(Class<? extends Protocol> protocol, Path directory) throws IOException {
    String own = own();
    assertThat(own).contains(TOP);
    return write(own.replace(TOP, TOP + "<" + protocol.getName() + "/>"), directory);
  }

  /** Writes a stack whose nodes take one of so many further ports to watch their neighbours. */
  static Path watchingInRange(int further, Path directory) throws IOException {
    String own = own();
    String watch = "offset=\"100\" port_range=\"";
    assertThat(own).contains(watch + "0");
    return write(own.replace(watch + "0", watch + further), directory);
  }

  private static String own() throws IOException {
    try (InputStream in = OwnInfinispan.class.getResourceAsStream(OwnInfinispan.STACK)) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Path write(String stack, Path directory) throws IOException {
    return Files.writeString(directory.resolve("stack.xml"), stack);
  }
}
