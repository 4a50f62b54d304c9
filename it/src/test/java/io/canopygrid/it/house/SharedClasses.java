package io.canopygrid.it.house;

import static org.awaitility.Awaitility.await;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.cli.JavaCommand;
import io.canopygrid.ycsb.cluster.FreePorts;
import io.canopygrid.ycsb.cluster.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes the archive of classes that the JVMs of tests start their servers from, once for a build: a
 * server that loads its classes from it starts with half of the processor time. JUnit finds this
 * through the service loader. Where the archive cannot be made, servers start without it.
 */
public final class SharedClasses implements BeforeAllCallback {
  /** The file, which {@code -XX:SharedArchiveFile} names, too; empty: there is none. */
  private static final String ARCHIVE = System.getProperty("canopy.it.classes", "");

  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration END_MAX = Duration.ofMinutes(2);
  private static boolean looked;

  /** For JUnit. */
  public SharedClasses() {}

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
    if (!ARCHIVE.isEmpty() && !looked) {
      looked = true;
      makeOnce(Path.of(ARCHIVE));
    }
  }

  /** Another JVM of tests, which does the same at this moment, waits and finds the file. */
  private static void makeOnce(Path archive) throws IOException, InterruptedException {
    Path locked = archive.resolveSibling(archive.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(locked, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !isOfTheseClasses(archive)) {
        make(archive);
      }
    }
  }

  /** A JVM would not take an archive that is older than one of the files on the class path. */
  private static boolean isOfTheseClasses(Path archive) throws IOException {
    if (!Files.exists(archive)) {
      return false;
    }
    FileTime made = Files.getLastModifiedTime(archive);
    for (String entry : JavaCommand.classPath().split(File.pathSeparator, -1)) {
      Path file = Path.of(entry);
      if (Files.isRegularFile(file) && Files.getLastModifiedTime(file).compareTo(made) > 0) {
        return false;
      }
    }
    return true;
  }

  private static void make(Path archive) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory(archive.toAbsolutePath().getParent(), "servers");
    Path file = directory.resolve("made");
    List<String> command = JavaCommand.ofThisJvm();
    command.removeIf(option -> option.startsWith("-XX:SharedArchiveFile="));
    command.addAll(List.of("-XX:ArchiveClassesAtExit=" + file, "-Xmx256m"));
    command.addAll(List.of("-cp", JavaCommand.classPath()));
    command.addAll(List.of("io.canopygrid.server.cli.Main", "server", "--attached"));
    command.addAll(List.of("--name", "classes", "--bind", "127.0.0.1", "--client-port", "0"));
    command.addAll(List.of("--port", FreePorts.pick(1).get(0).toString()));
    command.addAll(List.of("--data-directory", directory.resolve("data").toString()));
    Path output = directory.resolve("output");
    Process server =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean isMade = false;
    try {
      await().atMost(START_MAX).until(() -> ready(output).isPresent() || !server.isAlive());
      use(ServerProcess.addressIn(ready(output).orElseThrow()));
      server.getOutputStream().close(); // attached to this JVM, it stops
      isMade = server.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS) && Files.exists(file);
    } catch (ConditionTimeoutException | NoSuchElementException | CanopyException e) {
      System.err.println("a server for its classes, see " + output + ": " + e);
    } finally {
      server.destroyForcibly().onExit().join();
    }
    if (isMade) {
      Files.move(file, archive, StandardCopyOption.REPLACE_EXISTING);
    } else {
      System.err.println("servers start without an archive of classes: none was made");
    }
  }

  /** The line in which the server says that it is ready. */
  private static Optional<String> ready(Path output) throws IOException {
    return Files.readAllLines(output).stream().filter(line -> line.startsWith("READY ")).findAny();
  }

  /** Has the server do the work that nearly every test wants of its servers. */
  private static void use(String address) {
    try (RemoteCanopy client = RemoteCanopy.connect("canopy://" + address)) {
      Index<Long, String> index = client.index("classes", Codec.int64(), Codec.string());
      for (long key = 0; key < 200; key++) {
        long each = key;
        client.run(tx -> tx.on(index).put(each, "value"));
      }
      client.read(tx -> tx.on(index).count(Range.all()));
    }
  }
}
