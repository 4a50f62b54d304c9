package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in the README compiles, runs, and prints what the README says it prints. */
final class ReadmeExampleTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```java\\R(.*?)```\\s*It prints `([^`]*)`", Pattern.DOTALL);

  @TempDir Path directory;

  @Test
  void theReadmesExampleRuns() throws Exception {
    Matcher example = EXAMPLE.matcher(Project.read(Project.ROOT.resolve("README.md")));
    assertThat(example.find())
        .as("README.md has a java block followed by 'It prints `…`'")
        .isTrue();
    String source = example.group(1);
    String name = className(source);

    compile(Files.writeString(directory.resolve(name + ".java"), source));

    assertThat(run(name).strip()).isEqualTo(example.group(2));
    assertThat(source.lines().filter(line -> !line.isBlank()).count())
        .as("a newcomer reads it at a glance")
        .isLessThanOrEqualTo(22);
  }

  private static String className(String source) {
    Matcher name = Pattern.compile("class (\\w+)").matcher(source);
    assertThat(name.find()).as("the example is a class").isTrue();
    return name.group(1);
  }

  private void compile(Path file) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-cp", System.getProperty("java.class.path"), "-d", directory.toString());
    boolean compiled =
        compiler
            .getTask(
                messages,
                null,
                null,
                options,
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
            .call();
    assertThat(compiled).as(messages.toString()).isTrue();
  }

  private String run(String name) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      Class.forName(name, true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(out);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
