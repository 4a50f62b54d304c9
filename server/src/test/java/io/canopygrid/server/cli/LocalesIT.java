package io.canopygrid.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes and the shell in locales with other digits, another calendar and another lower case of I.
 * Each prints and keeps the same. {@code -Dcanopy.locales.all=true} tries all of them.
 */
@NullUnmarked // values are compared as they are
@Timeout(240)
final class LocalesIT {
  private static final String TEXT = "Iıİ ٣ ३ ß Ada";

  private final List<Process> started = new ArrayList<>();

  /** An application with a node of its own, in this locale. */
  static final class Application {
    private Application() {}

    /** Writes, reads, makes an error with a number in it, and prints all of it. */
    public static void main(String[] args) {
      PrintStream out = new PrintStream(System.out, true, UTF_8);
      out.println("locale " + Locale.getDefault().toLanguageTag());
      try (Canopy db = EmbeddedCanopy.join(ClusterConfig.of("locales").port(0))) {
        Index<String, String> texts = db.index("TITLES", Codec.string(), Codec.string());
        db.run(tx -> tx.on(texts).put(TEXT, TEXT));
        out.println("read " + db.<String, RuntimeException>read(tx -> tx.on(texts).get(TEXT)));
        db.snapshot("TITLE");
        out.println("snapshots " + db.snapshots().size());
      }
      try {
        ClusterConfig.of("locales").shards(4_097);
      } catch (CanopyException e) {
        out.println(e.getMessage());
      }
    }
  }

  @AfterEach
  void endWhatIsLeft() {
    started.forEach(Process::destroyForcibly);
  }

  /** The locales that are hardest, or all of them. */
  private static Stream<String> some(String... locales) {
    return Stream.of(locales).limit(Boolean.getBoolean("canopy.locales.all") ? locales.length : 2);
  }

  static Stream<String> nodes() {
    return some(
        "ar EG nu-arab US-ASCII",
        "tr TR - ISO-8859-9",
        "ja JP ca-japanese US-ASCII",
        "th TH ca-buddhist-nu-thai",
        "hi IN nu-deva",
        "tr TR -",
        "en US - US-ASCII",
        "en US -");
  }

  static Stream<String> servers() {
    return some(
        "th TH ca-buddhist-nu-thai",
        "tr TR -",
        "ar EG nu-arab",
        "hi IN nu-deva",
        "en US - US-ASCII");
  }

  @ParameterizedTest
  @MethodSource("nodes")
  void anEmbeddedNodeWorks(String locale) throws Exception {
    Process application = java(locale, Application.class.getName());
    String out = new String(application.getInputStream().readAllBytes(), UTF_8);

    assertThat(application.waitFor()).as(out).isZero();
    assertThat(out).contains("read " + TEXT + "\n", "snapshots 1\n", "shards=4097");
    assertThat(out).contains("locale " + locale.substring(0, 2));
  }

  @ParameterizedTest
  @MethodSource("servers")
  void aServerAndAScriptOfTheShellWork(String locale) throws Exception {
    String main = Main.class.getName();
    Process server =
        java(locale, main, "server", "--attached", "--port", "0", "--client-port", "0");
    String ready = "";
    BufferedReader lines = server.inputReader(UTF_8);
    while (!ready.startsWith("READY ")) {
      ready = lines.readLine();
      assertThat(ready).as("the last line").isNotNull();
    }
    String clients = ready.replaceFirst(".* clients ", "").replaceFirst(" .*", "");

    Process shell = java(locale, main, "shell", "-c", "canopy://" + clients);
    shell
        .getOutputStream()
        .write(
            "create TITLES string string\nput TITLES 'Iıİ ٣' 'ß ३'\nscan TITLES\n".getBytes(UTF_8));
    shell.getOutputStream().close();
    String out = new String(shell.getInputStream().readAllBytes(), UTF_8);

    assertThat(shell.waitFor()).as(out).isZero();
    assertThat(out).contains("Iıİ ٣", "ß ३");
    server.getOutputStream().close();
    assertThat(server.waitFor()).isZero();
  }

  /** A JVM in a locale: language, country, extensions or -, and perhaps the charset of files. */
  private Process java(String locale, String main, String... arguments) throws IOException {
    String[] parts = locale.split(" ", -1);
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-Duser.language=" + parts[0]);
    command.add("-Duser.country=" + parts[1]);
    if (!parts[2].equals("-")) {
      command.add("-Duser.extensions=u-" + parts[2]);
    }
    if (parts.length > 3) {
      command.add("-Dfile.encoding=" + parts[3]);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    started.add(process);
    return process;
  }
}
