package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.codec.CodecNames;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.wire.client.Reply;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The commands of the shell. Commands between begin and commit are one transaction; any other
 * command is a transaction of its own. Confined to one thread.
 */
@Command(
    name = "",
    description = "Keys and values are written as their types are; quote what has spaces.",
    synopsisSubcommandLabel = "COMMAND")
final class ShellCommands implements AutoCloseable {
  private static final TransactionOptions LONG =
      TransactionOptions.labelled("shell").withTimeout(Duration.ofMinutes(10));

  private final RemoteCanopy db;
  private final PrintWriter out;
  private final OutputFormat output;
  private final Map<String, Index<String, String>> indexes = new HashMap<>();
  private @Nullable Transaction open;

  /** The options of all that is read; null: of the present. */
  private @Nullable TransactionOptions past;

  ShellCommands(RemoteCanopy db, PrintWriter out, OutputFormat output) {
    this.db = db;
    this.out = out;
    this.output = output;
  }

  /** Whether a transaction is open. */
  boolean isOpen() {
    return open != null || past != null;
  }

  /** Whether a transaction is open that can write. */
  boolean canCommit() {
    return open != null;
  }

  /** The names of the indexes, for completion. */
  List<String> indexNames() {
    return List.copyOf(db.indexes());
  }

  /** The names of the snapshots, for completion. */
  List<String> snapshotNames() {
    return db.snapshots().stream().map(NamedSnapshot::name).toList();
  }

  private interface Work<T> {
    T on(MutableView<String, String> view);
  }

  private interface Look<T> {
    T on(ReadView<String, String> view);
  }

  private <T> T in(String index, Work<T> work) {
    if (past != null) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "the past cannot be written to: commit or rollback first");
    }
    return at(
        index,
        (opened, tx) ->
            tx != null
                ? work.on(tx.on(opened))
                : db.<T, RuntimeException>call(LONG, t -> work.on(t.on(opened))));
  }

  private <T> T look(String index, Look<T> look) {
    TransactionOptions then = past;
    return then == null
        ? in(index, look::on)
        : at(
            index,
            (opened, none) -> db.<T, RuntimeException>read(then, t -> look.on(t.on(opened))));
  }

  private <T> T at(String index, BiFunction<Index<String, String>, @Nullable Transaction, T> work) {
    Index<String, String> opened = index(index);
    try {
      return work.apply(opened, open);
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.UNKNOWN_INDEX) {
        indexes.remove(index); // there may be another one of the name
      }
      throw e;
    }
  }

  private Index<String, String> index(String name) {
    Index<String, String> known = indexes.get(name);
    if (known == null) {
      Reply.IndexOpened found = db.describe(name);
      known =
          db.index(
              name, TextCodec.of(found.keyCodec(), true), TextCodec.of(found.valueCodec(), false));
      indexes.put(name, known);
    }
    return known;
  }

  private Rows rows(String... headings) {
    return new Rows(out, output, headings);
  }

  @Command(name = "indexes", description = "List all indexes.")
  void indexes() {
    Rows rows = rows("index", "keys", "values");
    for (String name : db.indexes()) {
      Reply.IndexOpened index = db.describe(name);
      rows.add(name, index.keyCodec(), index.valueCodec());
    }
    rows.end();
  }

  @Command(
      name = "create",
      description = {"Create an index: create names int64 string.", "Codecs: " + CodecNames.LIST})
  void create(
      @Parameters(paramLabel = "INDEX") String name,
      @Parameters(paramLabel = "KEYS") String keys,
      @Parameters(paramLabel = "VALUES") String values) {
    Codec<String> keyCodec = CodecNames.ofKeys(keys);
    indexes.put(name, db.index(name, keyCodec, CodecNames.ofValues(values)));
  }

  /** A drop is no part of a transaction: a rollback would not take it back. */
  private void checkNoneOpen() {
    if (open != null || past != null) {
      throw new CanopyException(
          ErrorCode.NESTED_TRANSACTION,
          "a drop is no part of a transaction: commit or rollback first");
    }
  }

  @Command(name = "drop-index", description = "Drop an index with all of its entries.")
  void dropIndex(@Parameters(paramLabel = "INDEX") String name, @Mixin Confirmation confirmation) {
    checkNoneOpen();
    confirmation.askWhoTypes("index '" + name + "' with all of its entries", name);
    indexes.remove(name);
    if (!db.dropIndex(name)) {
      throw new CanopyException(ErrorCode.UNKNOWN_INDEX, "there is no index '" + name + "'");
    }
  }

  @Command(name = "drop-table", description = "Drop a table with all of its rows and indexes.")
  void dropTable(@Parameters(paramLabel = "TABLE") String name, @Mixin Confirmation confirmation) {
    checkNoneOpen();
    confirmation.askWhoTypes("table '" + name + "' with all of its rows and indexes", name);
    indexes.keySet().removeIf(index -> name.equals(TableNames.tableOf(index)));
    if (!db.dropTable(name)) {
      throw TableParts.unknown(name);
    }
  }

  @Command(name = "get", description = "Print a key's value; nothing where there is none.")
  void get(
      @Parameters(paramLabel = "INDEX") String index, @Parameters(paramLabel = "KEY") String key) {
    Rows rows = rows("key", "value");
    look(index, view -> Optional.ofNullable(view.get(key)))
        .ifPresent(value -> rows.add(key, value));
    rows.end();
  }

  @Command(name = "put", description = "Set a key's value.")
  void put(
      @Parameters(paramLabel = "INDEX") String index,
      @Parameters(paramLabel = "KEY") String key,
      @Parameters(paramLabel = "VALUE") String value) {
    in(
        index,
        view -> {
          view.put(key, value);
          return value;
        });
  }

  @Command(name = "remove", description = "Take a key away.")
  void remove(
      @Parameters(paramLabel = "INDEX") String index, @Parameters(paramLabel = "KEY") String key) {
    in(
        index,
        view -> {
          view.remove(key);
          return key;
        });
  }

  @Command(name = "scan", description = "Print entries in order.")
  void scan(
      @Parameters(paramLabel = "INDEX") String index,
      @Parameters(paramLabel = "FROM", arity = "0..1", description = "First key, included.")
          @Nullable String from,
      @Parameters(paramLabel = "TO", arity = "0..1", description = "Last key, included.")
          @Nullable String to,
      @Option(names = "--limit", defaultValue = "100", description = "At most so many (100).")
          long limit,
      @Option(names = "--reverse", description = "From the greatest key on.") boolean reverse,
      @Option(names = "--prefix", description = "Keys that begin with this.")
          @Nullable String prefix) {
    List<Map.Entry<String, String>> found =
        look(
            index,
            view -> {
              try (Cursor<String, String> c = view.scan(range(from, to, prefix)).limit(limit)) {
                return (reverse ? c.reverse() : c).stream().toList();
              }
            });
    Rows rows = rows("key", "value");
    found.forEach(e -> rows.add(e.getKey(), e.getValue()));
    rows.end();
  }

  @Command(name = "count", description = "Count entries.")
  void count(
      @Parameters(paramLabel = "INDEX") String index,
      @Parameters(paramLabel = "FROM", arity = "0..1", description = "First key, included.")
          @Nullable String from,
      @Parameters(paramLabel = "TO", arity = "0..1", description = "Last key, included.")
          @Nullable String to,
      @Option(names = "--prefix", description = "Keys that begin with this.")
          @Nullable String prefix) {
    Rows rows = rows("index", "entries");
    rows.add(index, look(index, view -> view.count(range(from, to, prefix))));
    rows.end();
  }

  private static Range<String> range(
      @Nullable String from, @Nullable String to, @Nullable String prefix) {
    if (prefix != null) {
      if (from != null) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT, "give either keys or --prefix, not both");
      }
      return Range.prefix(prefix);
    }
    if (from == null) {
      return Range.all();
    }
    return to == null ? Range.atLeast(from) : Range.closed(from, to);
  }

  @Command(
      name = "begin",
      description = {
        "Begin a transaction, for at most ten minutes.",
        "With --snapshot or --as-of it reads a state of the past, and writes nothing."
      })
  void begin(
      @Option(names = "--snapshot", paramLabel = "NAME", description = "Read at this snapshot.")
          @Nullable String snapshot,
      @Option(
              names = "--as-of",
              paramLabel = "TIME",
              description = "Read the state of this time, as 2026-11-28T12:00:00Z.")
          @Nullable Instant asOf) {
    if (open != null || past != null) {
      throw new CanopyException(ErrorCode.NESTED_TRANSACTION, "a transaction is open already");
    }
    if (snapshot != null && asOf != null) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "--snapshot and --as-of are two snapshots: give one");
    }
    if (snapshot != null) {
      past = LONG.at(taken(snapshot));
    } else if (asOf != null) {
      past = LONG.asOf(asOf);
    } else {
      open = db.begin(LONG);
    }
  }

  /** The snapshot that has this name now, and none that gets it later. */
  private String taken(String name) {
    return db.snapshots().stream()
        .filter(taken -> taken.name().equals(name))
        .map(taken -> SnapshotNames.exact(name, taken.taken().toEpochMilli()))
        .findFirst()
        .orElseThrow(() -> SnapshotNames.unknown(name));
  }

  @Command(name = "commit", description = "Commit the transaction.")
  void commit() {
    Transaction tx = ended("commit");
    if (tx != null) {
      tx.commit();
    }
  }

  @Command(name = "rollback", description = "End the transaction without effect.")
  void rollback() {
    Transaction tx = ended("rollback");
    if (tx != null) {
      tx.rollback();
    }
  }

  /** The transaction that is open no longer; null: it was in the past. */
  private @Nullable Transaction ended(String what) {
    Transaction tx = open;
    if (tx == null && past == null) {
      throw new CanopyException(
          ErrorCode.TRANSACTION_CLOSED, "there is nothing to " + what + ": begin comes first");
    }
    open = null;
    past = null;
    return tx;
  }

  @Command(name = "snapshots", description = "List the named snapshots.")
  void snapshots() {
    Rows rows = rows("snapshot", "taken");
    db.snapshots().forEach(s -> rows.add(s.name(), s.taken().toString()));
    rows.end();
  }

  @Command(name = "snapshot", description = "Take a named snapshot.")
  void snapshot(@Parameters(paramLabel = "NAME") String name) {
    NamedSnapshot taken = db.snapshot(name);
    Rows rows = rows("snapshot", "taken");
    rows.add(taken.name(), taken.taken().toString());
    rows.end();
  }

  @Command(name = "clones", description = "List the clones of indexes.")
  void clones() {
    CloneCommand.print(out, output, db.clones());
  }

  @Command(
      name = "clone",
      description = {
        "Make a clone of an index: clone accounts trial.",
        "After begin --snapshot or --as-of it is of that state, else of the present."
      })
  void cloneIndex(
      @Parameters(paramLabel = "INDEX", description = "The index that it is made of.") String index,
      @Parameters(paramLabel = "NAME", description = "The name of the clone.") String name) {
    if (open != null) {
      throw new CanopyException(
          ErrorCode.NESTED_TRANSACTION,
          "a clone is no part of a transaction: commit or rollback first");
    }
    CloneSource present = CloneSource.of(index);
    CloneSource source = past == null ? present : present.at(past.snapshot());
    CloneCommand.print(out, output, List.of(db.cloneIndex(name, source)));
  }

  @Command(name = "flatten", description = "Copy into a clone what it shares with its parent.")
  void flatten(@Parameters(paramLabel = "INDEX") String name) {
    Rows rows = rows("index", "copied");
    rows.add(name, CloneCommand.flatten(db, name, Narrator.onStandardError()));
    rows.end();
  }

  @Command(name = "drop", description = "Drop a named snapshot.")
  void drop(@Parameters(paramLabel = "SNAPSHOT") String name) {
    if (!db.dropSnapshot(name)) {
      throw SnapshotNames.unknown(name);
    }
  }

  @Command(name = "status", description = "Show the state of the cluster.")
  void status() {
    StatusView.print(db, out, output);
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
    }
  }
}
