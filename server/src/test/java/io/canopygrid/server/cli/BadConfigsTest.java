package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** {@code config check} and {@code server} say the same of a file, and end the same way. */
final class BadConfigsTest {
  @TempDir Path directory = Path.of("");

  /**
   * A file that is wrong.
   *
   * @param content its bytes
   * @param told what must be said of it, in any of the lines
   */
  private record BadFile(String name, byte[] content, List<String> told) {}

  @TestFactory
  List<DynamicTest> bothSayTheSame() throws IOException {
    Files.writeString(directory.resolve("stack.xml"), "<config><NO_SUCH/></config>");
    Files.writeString(directory.resolve("none.pem"), "no certificate\n");
    Files.writeString(directory.resolve("empty"), "");
    Files.createDirectories(directory.resolve("jars/META-INF/services"));
    Files.writeString(
        directory.resolve("jars/META-INF/services/io.canopygrid.FunctionProvider"), "no.Such\n");
    Files.createDirectories(directory.resolve("foreign"));
    Files.writeString(directory.resolve("foreign/letter.txt"), "text");
    Files.createDirectories(directory.resolve("damaged/engine"));
    Files.createDirectories(directory.resolve("unknown"));
    Files.writeString(directory.resolve("unknown/CANOPY"), "no label");
    List<DynamicTest> tests = new ArrayList<>();
    for (BadFile bad : badFiles()) {
      tests.add(DynamicTest.dynamicTest(bad.name(), () -> assertSame(bad)));
    }
    assertThat(tests).hasSizeGreaterThanOrEqualTo(28);
    return tests;
  }

  private void assertSame(BadFile bad) throws IOException {
    Path file = Files.write(directory.resolve("bad.yaml"), bad.content());

    CommandRun check = CommandRun.of("config", "check", file.toString());
    CommandRun server = CommandRun.of("server", "--config", file.toString());

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(server.exitCode()).isEqualTo(2);
    List<String> said =
        check.out().lines().map(line -> line.replaceFirst("CNPY-5001 ", "")).toList();
    assertThat(check.out().lines()).allMatch(line -> line.startsWith("CNPY-5001 " + file));
    assertThat(bad.told()).allSatisfy(text -> assertThat(check.out()).contains(text));
    assertThat(server.err().lines().filter(line -> line.contains(file + ":")))
        .map(line -> line.substring(line.indexOf(file + ":")).replaceFirst("\\. Correct .*", ""))
        .isEqualTo(said);
  }

  private static List<BadFile> badFiles() {
    List<BadFile> files = new ArrayList<>();
    files.add(bad("no such stack", "cluster: {stack: none.xml}", "does not exist"));
    files.add(bad("a stack that is a directory", "cluster: {stack: .}", "is a directory"));
    files.add(bad("an unknown protocol", "cluster: {stack: stack.xml}", "1:18", "NO_SUCH"));
    files.add(bad("everybody", "clients: {bindAddress: 0.0.0.0}", "makes clients say who they"));
    files.add(bad("nobody", "security: {authenticate: true}", "makes clients say who they are"));
    files.add(bad("port, watch", ports(7800, 7800, 8000, 1), "'cluster.watchPort' is 7800"));
    files.add(bad("port, exchange", ports(7800, 7900, 7800, 1), "'cluster.exchangePort' is 7800"));
    files.add(bad("watch, exchange", ports(7800, 1999, 1999, 1), "'cluster.exchangePort' is 1999"));
    files.add(bad("port, clients", ports(7800, 7900, 8000, 7800), "opens as 'cluster.port' too"));
    files.add(bad("watch, clients", ports(7800, 7900, 8000, 7900), "'clients.port' is 7900"));
    files.add(bad("exchange, clients", ports(7800, 7900, 8000, 8000), "'cluster.exchangePort'"));
    files.add(
        bad("derived", "clients: {port: 7900}", "'cluster.watchPort' ('cluster.port' + 100)"));
    files.add(bad("derived too", "cluster: {watchPort: 8000}", "('cluster.port' + 200)"));
    files.add(bad("no base", "cluster: {port: 0, watchPort: 8000}", "needs 'cluster.port'"));
    files.add(bad("a low port", "cluster: {watchPort: 80}", "from 1024 to 65535, not 80"));
    files.add(bad("a key alone", "tls: {key: none.pem}", "is given without 'tls.certificate'"));
    files.add(
        bad("no such key", "tls: {key: no.pem, certificate: none.pem}", "'tls.key' names a file"));
    files.add(
        bad("no certificate", "tls: {key: none.pem, certificate: none.pem}", "cannot be used"));
    files.add(
        bad("an empty password file", "security: {adminPasswordFile: empty}", "has no password"));
    files.add(bad("durability alone", "data: {durability: fsync}", "without 'data.directory'"));
    files.add(bad("a reserve alone", "data: {reserve: 1GiB}", "without 'data.directory'"));
    files.add(
        bad(
            "more than a disk has",
            "data: {directory: d, reserve: 1024GiB}",
            "'data.reserve' is more than the disk"));
    String oneCopy = "{cluster: {owners: 1}, data: {directory: d}}";
    files.add(bad("one copy on disk", oneCopy, "'cluster.owners' must be 2 or more"));
    files.add(bad("no durability", "data: {directory: d, durability: raid}", "async, fsync"));
    files.add(bad("no directory", "data: {directory: ''}", "'data.directory' must be"));
    files.add(bad("data in a file", "data: {directory: empty}", "1:19", "NotDirectory"));
    files.add(bad("data below a file", "data: {directory: empty/data}", "NotDirectory"));
    files.add(bad("other files", "data: {directory: foreign}", "letter.txt", "an empty one"));
    files.add(bad("no label", "data: {directory: damaged}", "lacks its file CANOPY"));
    files.add(bad("another's label", "data: {directory: unknown}", "CANOPY", "is damaged"));
    files.add(bad("no unit", "cluster: {lockTimeout: 50}", "not '50' without a unit"));
    files.add(bad("no unit of time", "cluster: {joinTimeout: 5 weeks}", "must be a time"));
    files.add(bad("too long", "cluster: {lockTimeout: 2h}", "'cluster.lockTimeout' must be"));
    files.add(bad("an unknown name", "cluster: {prot: 1}", "did you mean 'port'?"));
    files.add(
        bad("another section's", "cluster: {authenticate: true}", "'security.authenticate'?"));
    files.add(bad("an unknown section", "clustr: {port: 1}", "did you mean 'cluster'?"));
    files.add(bad("nothing near", "x: {port: 1}", "unknown name 'x'\n"));
    files.add(bad("a level that is near", "logging: {level: wran}", "did you mean 'warn'?"));
    files.add(bad("no level", "logging: {level: verbose}", "not 'verbose'\n"));
    files.add(bad("twice", "cluster:\n  port: 1\n  port: 2\n", "given twice, first in line 2"));
    files.add(bad("a tab", "cluster:\n\tport: 1\n", "(TAB)"));
    files.add(bad("no YAML", "cluster: {port: 1", ":"));
    files.add(bad("a list", "- cluster\n", "names and values are expected"));
    files.add(bad("two documents", "cluster: {port: 1}\n---\n{}\n", "nothing may follow"));
    files.add(bad("an unknown host", "cluster: {bindAddress: no.such.invalid}", "be found"));
    files.add(bad("no jars", "clients: {functions: nowhere}", "is not there or cannot be read"));
    files.add(bad("no such class", "clients: {functions: jars}", "cannot be used", "no.Such"));
    byte[] latin = "cluster: {name: caf\u00e9}".getBytes(StandardCharsets.ISO_8859_1);
    files.add(new BadFile("not UTF-8", latin, List.of("it is not UTF-8")));
    files.add(bad("a byte order mark, and a mistake", "\ufeffcluster: {prot: 1}", "'port'?"));
    byte[] wide = "cluster: {port: 1}".getBytes(StandardCharsets.UTF_16);
    files.add(new BadFile("UTF-16", wide, List.of("it is not UTF-8")));
    return files;
  }

  private static BadFile bad(String name, String text, String... told) {
    return new BadFile(name, text.getBytes(StandardCharsets.UTF_8), List.of(told));
  }

  private static String ports(int port, int watch, int exchange, int clients) {
    return String.format(
        Locale.ROOT,
        "cluster: {port: %d, watchPort: %d, exchangePort: %d}\nclients: {port: %d}\n",
        port,
        watch,
        exchange,
        clients);
  }
}
