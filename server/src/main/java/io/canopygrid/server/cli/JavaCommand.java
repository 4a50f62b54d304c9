package io.canopygrid.server.cli;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line that starts this JVM's {@code java} for another node of Canopy. */
public final class JavaCommand {
  /** The first release whose JVM warns of how Infinispan's libraries access memory. */
  private static final int WARNS_OF_MEMORY_ACCESS = 24;

  /**
   * The extent to which HotSpot's second compiler inlines: less than by default. Canopy's methods
   * are small and call each other in long chains. By default the compiler makes a few very large
   * pieces of code of them, each several times. Such code takes twice the processor time to
   * compile, most of it in the minute after a start, and is no faster. The scripts set the same
   * options.
   */
  static final List<String> INLINING =
      List.of("-XX:InlineSmallCode=1500", "-XX:FreqInlineSize=100");

  private static final String ARCHIVE = "-XX:SharedArchiveFile=";

  /**
   * Options that this JVM passes on, by how they begin. Without the second compiler, or from an
   * archive of classes, a JVM starts with half of the processor time.
   */
  private static final List<String> PASSED_ON =
      List.of("-XX:TieredStopAtLevel=", ARCHIVE, "-Xlog:cds");

  private JavaCommand() {}

  /**
   * The program, the options that suppress warnings without a remedy, and the options for its
   * compilers. Where this JVM is told to leave the second compiler out, or to take classes from an
   * archive, the other one is, too. The caller may add to the list.
   */
  public static List<String> ofThisJvm() {
    return with(ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  /** The command of a JVM that was started with these options. */
  static List<String> with(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= WARNS_OF_MEMORY_ACCESS) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(INLINING);
    options.stream()
        .filter(option -> PASSED_ON.stream().anyMatch(option::startsWith))
        .filter(JavaCommand::isOfUse)
        .forEach(command::add);
    return command;
  }

  /** A JVM that does not find its archive does without that of the JDK, too. */
  private static boolean isOfUse(String option) {
    return !option.startsWith(ARCHIVE) || new File(option.substring(ARCHIVE.length())).isFile();
  }

  /**
   * The class path of this JVM for another one. Directories come after all archives: a JVM takes no
   * class from a shared archive that was made of a class path with a directory before them.
   */
  public static String classPath() {
    return withDirectoriesLast(ManagementFactory.getRuntimeMXBean().getClassPath());
  }

  static String withDirectoriesLast(String classPath) {
    Map<Boolean, List<String>> entries =
        Stream.of(classPath.split(File.pathSeparator, -1))
            .collect(Collectors.partitioningBy(entry -> new File(entry).isDirectory()));
    return Stream.of(entries.get(false), entries.get(true))
        .flatMap(List::stream)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
