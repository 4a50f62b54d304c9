package io.canopygrid.it.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves a thread of a node or of what it is built on, a listening port, a
 * child process or a temporary file behind. JUnit finds it through the service loader and applies
 * it to every class. A thread or process that is still ending gets some time.
 */
public final class Leftovers implements BeforeAllCallback, AfterAllCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(Leftovers.class);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long POLL_MILLIS = 50;
  private static final String LISTENS = "0A";

  private static final Pattern THREADS =
      Pattern.compile(
          "canopy.*|.*blocking-thread.*|.*jgroups.*|.*vm-\\d+.*|Connection\\..*|.*nioEventLoop.*"
              + "|.*multiThreadIoEventLoop.*|timeout-thread.*|expiration-thread.*|TQ-Bundler.*"
              + "|(bank|churn|load|client|hold|shard-watch|delayed-messages).*|n\\d+-answers");

  /** Temporary files of JUnit, the build and BlockHound. */
  private static final Pattern TEMPORARY_FILES_OF_OTHERS =
      Pattern.compile(
          "junit.*|hsperfdata.*|(surefire|failsafe).*|jna.*|BlockHound.*|byteBuddyAgent.*|\\..*");

  /** The directory of temporary files, where it is this JVM's alone; empty: it is not looked at. */
  private static final String TEMPORARY = System.getProperty("canopy.leftovers.directory", "");

  /** For JUnit. */
  public Leftovers() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    if (isNested(context)) {
      return;
    }
    context.getStore(NAMESPACE).put(context.getUniqueId(), everything());
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    if (isNested(context)) {
      return;
    }
    Object remembered = context.getStore(NAMESPACE).get(context.getUniqueId());
    if (!(remembered instanceof Set<?> before)) {
      throw new IllegalStateException("no state before " + context.getDisplayName());
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Set<String> left = left(before);
    while (!left.isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(POLL_MILLIS);
      left = left(before);
    }
    if (!left.isEmpty()) {
      throw new AssertionError(context.getDisplayName() + " leaves behind: " + left);
    }
  }

  /**
   * Whether the test class is nested: resources that it uses may belong to its outer class, and be
   * first needed in the nested one.
   */
  private static boolean isNested(ExtensionContext context) {
    return context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
  }

  /** The things that are there now and were not before. */
  static Set<String> left(Set<?> before) {
    Set<String> now = everything();
    now.removeAll(before);
    return now;
  }

  /** All that is there now. */
  static Set<String> everything() {
    Set<String> all = new TreeSet<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (THREADS.matcher(thread.getName()).matches()) {
        all.add("thread " + thread.getId() + " " + thread.getName());
      }
    }
    ProcessHandle.current()
        .descendants()
        .filter(ProcessHandle::isAlive)
        .forEach(process -> all.add("process " + process.pid() + " " + command(process)));
    try {
      listening().forEach(port -> all.add("port " + port));
      temporaryFiles().forEach(file -> all.add("file " + file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  private static String command(ProcessHandle process) {
    return process.info().command().orElse("");
  }

  /** Ports that this process listens on, by what Linux tells; elsewhere none. */
  private static Set<Integer> listening() throws IOException {
    Set<String> own = new HashSet<>();
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return Set.of();
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      for (Path descriptor : open.toList()) {
        String target = target(descriptor);
        if (target != null) {
          own.add(target);
        }
      }
    }
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      if (Files.exists(Path.of(table))) {
        for (String line : Files.readAllLines(Path.of(table))) {
          String[] words = line.trim().split("\\s+", -1);
          if (words.length > 9
              && words[3].equals(LISTENS)
              && own.contains("socket:[" + words[9] + "]")) {
            ports.add(Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16));
          }
        }
      }
    }
    return ports;
  }

  private static Set<String> temporaryFiles() throws IOException {
    if (TEMPORARY.isEmpty()) {
      return Set.of();
    }
    try (Stream<Path> files = Files.list(Path.of(TEMPORARY))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !TEMPORARY_FILES_OF_OTHERS.matcher(name).matches())
          .collect(Collectors.toSet());
    }
  }

  /** The target of a descriptor; null where it was closed meanwhile. */
  private static @Nullable String target(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
