package io.canopygrid.server.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How this JVM's {@code java} is started for another node of Canopy. */
public final class JavaCommand {
  /** From this release on the JVM warns of what Infinispan's libraries do with memory. */
  private static final int WARNS_OF_MEMORY_ACCESS = 24;

  /**
   * How far HotSpot's second compiler inlines, less than it would by itself. Canopy's methods are
   * small and call each other in long chains, of which it would else make a few pieces of code as
   * large as it can, each of them several times over: that takes twice the processor time, most of
   * it in the minute after a start, and the code is no faster for it. The scripts have the same.
   */
  static final List<String> INLINING =
      List.of("-XX:InlineSmallCode=1500", "-XX:FreqInlineSize=100");

  private JavaCommand() {}

  /**
   * The program, the options without which it would print warnings that nobody can act on, and
   * those for its compiler. The caller's to add to.
   */
  public static List<String> ofThisJvm() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= WARNS_OF_MEMORY_ACCESS) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(INLINING);
    return command;
  }
}
