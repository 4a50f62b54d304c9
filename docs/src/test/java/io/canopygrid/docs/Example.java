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

/**
 * A program in a page, followed by what it prints.
 *
 * @param source a class with a main method
 * @param printed the text after "It prints"
 */
record Example(String source, String printed) {
  private static final Pattern EXAMPLE =
      Pattern.compile("```java\\R(.*?)```\\s*It prints `([^`]*)`", Pattern.DOTALL);

  /** The first one of a page. */
  static Example of(Path page) {
    Matcher example = EXAMPLE.matcher(Project.read(page));
    assertThat(example.find()).as("%s has a java block followed by 'It prints `…`'", page).isTrue();
    return new Example(example.group(1), example.group(2));
  }

  /** Compiles and runs it; the text that it printed. */
  String run(Path directory) throws Exception {
    String name = className();
    compile(Files.writeString(directory.resolve(name + ".java"), source), directory);
    PrintStream out = System.out;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      System.setOut(new PrintStream(all, true, StandardCharsets.UTF_8));
      Class.forName(name, true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(out);
    }
    return all.toString(StandardCharsets.UTF_8).strip();
  }

  private String className() {
    Matcher name = Pattern.compile("class (\\w+)").matcher(source);
    assertThat(name.find()).as("the example is a class").isTrue();
    return name.group(1);
  }

  private static void compile(Path file, Path directory) {
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
}
