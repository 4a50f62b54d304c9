package io.canopygrid.junit;

import io.canopygrid.gmu.infinispan.exchange.ExchangeProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Canopy's own JGroups stack, changed for tests: with a {@link SeverableLink}, and in a hurry. */
final class SeverableStack {
  private static final String STACK = "/io/canopygrid/gmu/infinispan/canopy-stack.xml";
  private static final String EXCHANGES = "<" + ExchangeProtocol.class.getName();
  private static final String ABOVE_TRANSPORT = "<TCPPING";
  private static final String LOOKS_FOR_OTHERS = "join_timeout=\"1s\"";

  /** A node that is cut off waits for an answer for so long when it ends, instead of 2 s. */
  private static final String LEAVES = "leave_timeout=\"300ms\"";

  private SeverableStack() {}

  /** Writes the stack file of all nodes. */
  static Path write(Path file) throws IOException {
    return write(file, LOOKS_FOR_OTHERS);
  }

  /** Writes the stack file of a node that does not look for others for long: nobody is there. */
  static Path writeOfFirst(Path file) throws IOException {
    return write(file, "join_timeout=\"50ms\"");
  }

  private static Path write(Path file, String looksForOthers) throws IOException {
    try (InputStream in = ExchangeProtocol.class.getResourceAsStream(STACK)) {
      if (in == null) {
        throw new IOException("not on the class path: " + STACK);
      }
      String stack = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      stack = replaced(stack, EXCHANGES, "<" + SeverableLink.Exchanges.class.getName());
      stack =
          replaced(
              stack, ABOVE_TRANSPORT, "<" + SeverableLink.class.getName() + "/>" + ABOVE_TRANSPORT);
      stack = replaced(stack, LOOKS_FOR_OTHERS, looksForOthers + " " + LEAVES);
      return Files.writeString(file, stack);
    }
  }

  private static String replaced(String stack, String part, String by) {
    if (!stack.contains(part)) {
      throw new IllegalStateException(STACK + " has no " + part);
    }
    return stack.replace(part, by);
  }
}
