package io.canopygrid.jta;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.xa.PGXADataSource;

/** A server of PostgreSQL of the machine's own release, with a database of its own. */
final class PostgresServer implements AutoCloseable {
  private static final Path ROOT = Path.of("/usr/lib/postgresql");

  private static final String USER = "postgres";

  /** PostgreSQL does not run as root, which is another user in a namespace of its own. */
  private static final List<String> AS_ANOTHER =
      List.of("unshare", "--user", "--map-user=1000", "--map-group=1000", "--");

  private final Path programs;
  private final Path directory;
  private final int port;

  private PostgresServer(Path programs, Path directory, int port) {
    this.programs = programs;
    this.directory = directory;
    this.port = port;
  }

  /** Starts a server; null: the machine has no PostgreSQL. */
  static @Nullable PostgresServer start() throws IOException {
    if (!Files.isDirectory(ROOT)) {
      return null;
    }
    Path programs;
    try (Stream<Path> releases = Files.list(ROOT)) {
      programs = releases.max(Comparator.naturalOrder()).orElseThrow().resolve("bin");
    }
    Path directory = Files.createTempDirectory("canopy-postgres");
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    PostgresServer server = new PostgresServer(programs, directory, port);
    server.call("initdb", "-D", server.data(), "-U", USER, "-A", "trust", "-N");
    server.call(
        "pg_ctl",
        "-D",
        server.data(),
        "-w",
        "-l",
        directory.resolve("log").toString(),
        "-o",
        "-p "
            + port
            + " -c max_prepared_transactions=64 -c listen_addresses=127.0.0.1"
            + " -c fsync=off -c unix_socket_directories="
            + directory,
        "start");
    return server;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  private void call(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(AS_ANOTHER);
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  private void run(List<String> command) throws IOException {
    Path told = Files.createTempFile("canopy-postgres", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    boolean ended = hasEnded(process);
    String words = Files.readString(told);
    Files.delete(told);
    if (!ended || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("PostgreSQL does not start: " + words);
    }
  }

  private static boolean hasEnded(Process process) throws InterruptedIOException {
    try {
      return process.waitFor(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while PostgreSQL was at work");
    }
  }

  /** A source of connections that take part in global transactions. */
  PGXADataSource source() {
    PGXADataSource source = new PGXADataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/postgres");
    source.setUser(USER);
    return source;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The numbers in the first column of an answer. */
  List<Long> numbers(String sql) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
    }
    return numbers;
  }

  @Override
  public void close() throws IOException {
    call("pg_ctl", "-D", data(), "-m", "immediate", "stop");
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
