package io.canopygrid.server.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How this JVM's {@code java} is started for another node of Canopy. */
public final class JavaCommand {
  /** From this release on the JVM warns of what Infinispan's libraries do with memory. */
  private static final int WARNS_OF_MEMORY_ACCESS = 24;

  private JavaCommand() {}

  /**
   * The program, and the options without which it would print warnings that nobody can act on. The
   * caller's to add to.
   */
  public static List<String> ofThisJvm() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= WARNS_OF_MEMORY_ACCESS) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    return command;
  }
}
