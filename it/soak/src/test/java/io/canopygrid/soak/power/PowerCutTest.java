package io.canopygrid.soak.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A power cut takes what was not forced, and nothing else. */
final class PowerCutTest {
  @TempDir private Path directory;

  private PowerRecords power;
  private Path disk;

  @BeforeEach
  void compile() throws IOException {
    assumeTrue(PowerRecords.whyNot().isEmpty(), PowerRecords.whyNot());
    power = PowerRecords.create(directory.resolve("disks"), directory.resolve("records"));
    disk = directory.resolve("disks").resolve("one");
    Files.createDirectories(disk.getParent());
  }

  /** A process takes these steps, one after the other. */
  private void run(String... steps) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            PowerUser.class.getName(),
            disk.toString(),
            String.join(",", steps));
    builder.environment().putAll(power.environment());
    assertThat(builder.inheritIO().start().waitFor()).isZero();
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> found = Files.list(disk)) {
      Set<String> files = new TreeSet<>();
      for (Path file : found.toList()) {
        files.add(file.getFileName() + "=" + Files.readString(file));
      }
      return files;
    }
  }

  @Test
  void whatWasForcedStays() throws IOException, InterruptedException {
    run("write a 1", "force a", "write b 2", "force b", "force .", "write a 3", "write b 4");
    run("force b");
    assertThat(files()).containsExactly("a=13", "b=24");

    power.cutToWhatWasForced("one");
    assertThat(files()).containsExactly("a=1", "b=24");

    power.cutToWhatWasForced("one");
    assertThat(files()).as("what is left of a cut is forced").containsExactly("a=1", "b=24");
  }

  @Test
  void aForceOfAFileDoesNotForceItsName() throws IOException, InterruptedException {
    run("write a 1", "force a", "force .", "write b 2", "force b");
    power.cutToWhatWasForced("one");
    assertThat(files()).containsExactly("a=1");
  }

  @Test
  void changesOfADirectoryAreUndone() throws IOException, InterruptedException {
    String[] all = {"a", "b", "c", "d"};
    for (String file : all) {
      run("write " + file + " " + file, "force " + file);
    }
    run("force .", "rename a b", "remove c", "rename d e", "write c new", "rename e f");
    assertThat(files()).containsExactly("b=a", "c=new", "f=d");

    power.cutToWhatWasForced("one");
    assertThat(files()).containsExactly("a=a", "b=b", "c=c", "d=d");
  }

  @Test
  void aFileThatTakesThePlaceOfAForgottenOneIsNotForced() throws IOException, InterruptedException {
    run("write a 1", "force a", "remove a", "write b 2", "force .");
    power.cutToWhatWasForced("one");
    assertThat(files()).containsExactly("b=");
  }

  @Test
  void aDiskThatLiesLosesAll() throws IOException, InterruptedException {
    power.disksLie();
    run("write a 1", "force a", "force .");
    power.cutToWhatWasForced("one");
    assertThat(Files.exists(disk)).isFalse();
  }

  /** Each beginning of what was not forced can be what is left, also a torn one. */
  @Test
  void chanceDecidesWhatElseStays() throws IOException, InterruptedException {
    Set<String> left = new TreeSet<>();
    run("write a 1", "force a", "force .");
    for (int seed = 0; seed < 12; seed++) {
      run("write a 23");
      power.cut("one", new Random(seed));
      String content = Files.readString(disk.resolve("a"), StandardCharsets.ISO_8859_1);
      assertThat(content).startsWith("1");
      left.add(content);
    }
    assertThat(left).hasSizeGreaterThan(3);
  }
}
