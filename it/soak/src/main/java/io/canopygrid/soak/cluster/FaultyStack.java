package io.canopygrid.soak.cluster;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Canopy's own JGroups stack with a {@link FaultyLink} right above its transport. */
final class FaultyStack {
  private static final String STACK = "/io/canopygrid/gmu/infinispan/canopy-stack.xml";
  private static final String EXCHANGES = "<" + ExchangeProtocol.class.getName();
  private static final String ABOVE_TRANSPORT = "<TCPPING";

  private FaultyStack() {}

  /** Writes the stack file. */
  static Path write(Path file) throws IOException {
    try (InputStream in = FaultyStack.class.getResourceAsStream(STACK)) {
      if (in == null) {
        throw new IOException("not on the class path: " + STACK);
      }
      String stack = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      if (!stack.contains(EXCHANGES) || !stack.contains(ABOVE_TRANSPORT)) {
        throw new IOException("no place for a link in " + STACK);
      }
      String link = "<" + FaultyLink.class.getName() + "/>";
      return Files.writeString(
          file,
          stack
              .replace(EXCHANGES, "<" + FaultyLink.Exchanges.class.getName())
              .replace(ABOVE_TRANSPORT, link + ABOVE_TRANSPORT));
    }
  }
}
