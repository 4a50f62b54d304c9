package io.canopygrid.soak.power;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Records of the forces of disks, each of which is a directory below one for all. The processes
 * that have the disks note them, if they are started with {@link #environment()}.
 */
public final class PowerRecords {
  private static final String SOURCE = "power.c";
  private static final long COMPILE_SECONDS = 60;

  /** As a hard disk needs. With a fast one hardly anything waits for a force at any moment. */
  private static final int FORCE_MICROS = 5_000;

  private final Path disks;
  private final Path records;
  private final Path library;

  private PowerRecords(Path disks, Path records, Path library) {
    this.disks = disks;
    this.records = records;
    this.library = library;
  }

  /** Says in words why there can be no records on this machine; empty: there can be. */
  public static String whyNot() {
    if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux")) {
      return "power cuts are played on Linux only, by a library that is loaded with LD_PRELOAD";
    }
    try {
      Process process = new ProcessBuilder("cc", "--version").redirectErrorStream(true).start();
      try (InputStream output = process.getInputStream()) {
        output.readAllBytes();
      }
      return process.waitFor() == 0 ? "" : "cc --version fails";
    } catch (IOException e) {
      return "power cuts need a C compiler, cc (Debian: gcc and libc6-dev): " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /**
   * Compiles what notes it.
   *
   * @param disks the directory of the disks' directories; nothing has used it yet
   * @param records gets the records; on the same file system
   * @throws IOException the compiler fails; the message has its words
   */
  public static PowerRecords create(Path disks, Path records) throws IOException {
    Files.createDirectories(records);
    Path source = records.resolve(SOURCE);
    try (InputStream code = PowerRecords.class.getResourceAsStream(SOURCE)) {
      if (code == null) {
        throw new IOException("no resource " + SOURCE);
      }
      Files.copy(code, source);
    }
    Path library = records.resolve("power.so");
    compile(source, library);
    return new PowerRecords(disks, records, library);
  }

  private static void compile(Path source, Path library) throws IOException {
    Path log = library.resolveSibling("cc.log");
    Process compiler =
        new ProcessBuilder(
                "cc",
                "-shared",
                "-fPIC",
                "-O1",
                "-o",
                library.toString(),
                source.toString(),
                "-ldl",
                "-lpthread")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!compiler.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS)) {
        compiler.destroyForcibly();
        throw new IOException("cc takes too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (compiler.exitValue() != 0) {
      throw new IOException("cc fails: " + Files.readString(log));
    }
  }

  /** The variables that processes must have in their environment. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "CANOPY_POWER_DATA", disks.toString(),
        "CANOPY_POWER_RECORDS", records.toString(),
        "CANOPY_POWER_MICROS", Integer.toString(FORCE_MICROS));
  }

  /** From now on the disks say that they have what they were forced to take, and may lose it. */
  public void disksLie() throws IOException {
    Files.createFile(records.resolve("lies"));
  }

  /** From now on the disk takes nothing: a force of it does not end. */
  public void hang(String disk) throws IOException {
    Files.createFile(word(disk, "hangs"));
  }

  /** The disk takes what it was told, and goes on. */
  public void goOn(String disk) throws IOException {
    Files.delete(word(disk, "hangs"));
  }

  /**
   * From now on the disk says that it has no room.
   *
   * @param fails whether what is written fails, too
   */
  public void fill(String disk, boolean fails) throws IOException {
    Files.createFile(word(disk, "low"));
    if (fails) {
      Files.createFile(word(disk, "full"));
    }
  }

  /** The disk has room again. */
  public void empty(String disk) throws IOException {
    Files.delete(word(disk, "low"));
    Files.deleteIfExists(word(disk, "full"));
  }

  private Path word(String disk, String word) {
    return records.resolve(disk).resolve(word);
  }

  /**
   * Takes the power from a disk whose process has been killed.
   *
   * @param disk its directory's name
   * @param random decides what is lost of all that was not forced
   * @return what was lost, in words
   */
  public String cut(String disk, Random random) throws IOException {
    return new PowerCut(disks.resolve(disk), records.resolve(disk), random).make();
  }

  /** The same, where all is lost that was not forced. */
  public String cutToWhatWasForced(String disk) throws IOException {
    return new PowerCut(disks.resolve(disk), records.resolve(disk), null).make();
  }

  /** A disk was emptied, and nothing of it is left to lose. */
  public void forget(String disk) throws IOException {
    new PowerCut(disks.resolve(disk), records.resolve(disk), null).beginAnew();
  }
}
