package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command starts other nodes of Canopy as the scripts start its own JVM. */
final class JavaCommandTest {
  private static final List<Path> SCRIPTS =
      List.of(Path.of("../canopy"), Path.of("distribution/src/bin/canopy"));

  @Test
  void scriptsTellTheCompilerTheSame() throws Exception {
    String inlining = "inlining=(" + String.join(" ", JavaCommand.INLINING) + ")";
    for (Path script : SCRIPTS) {
      assertThat(Files.readAllLines(script)).as(script.toString()).contains(inlining);
    }
    assertThat(JavaCommand.ofThisJvm()).containsAll(JavaCommand.INLINING);
  }

  @Test
  void aJvmWithOneCompilerStartsOthersWithOne() {
    String one = "-XX:TieredStopAtLevel=1";

    assertThat(JavaCommand.with(List.of("-Xmx1g", one))).contains(one).doesNotContain("-Xmx1g");
    assertThat(JavaCommand.with(List.of("-Xmx1g"))).noneMatch(each -> each.contains("Tiered"));
  }

  @Test
  void aJvmWithAnArchiveOfClassesStartsOthersFromIt(@TempDir Path directory) throws Exception {
    Path archive = directory.resolve("servers.jsa");
    List<String> options = List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off");

    assertThat(JavaCommand.with(options)).as("not there").doesNotContain(options.get(0));
    Files.createFile(archive);
    assertThat(JavaCommand.with(options)).containsAll(options);
  }

  @Test
  void directoriesAreLastOnAClassPath(@TempDir Path classes) {
    String separator = File.pathSeparator;

    assertThat(
            JavaCommand.withDirectoriesLast(
                String.join(separator, "a.jar", classes.toString(), "b.jar")))
        .isEqualTo(String.join(separator, "a.jar", "b.jar", classes.toString()));
    assertThat(JavaCommand.classPath().split(separator, -1))
        .containsExactlyInAnyOrder(System.getProperty("java.class.path").split(separator, -1));
  }
}
