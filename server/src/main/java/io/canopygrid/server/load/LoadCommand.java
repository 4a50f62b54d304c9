package io.canopygrid.server.load;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexState;
import io.canopygrid.Table;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.TablePart;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.codec.CodecNames;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.shell.Connect;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Progress;
import io.canopygrid.wire.client.Reply;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy load}: puts the records of a file into an index or a table. */
@Command(
    name = "load",
    description = {
      "Put the records of a CSV or JSON file into an index or a table.",
      "A record whose key is there already replaces the value; of two records with one key the",
      "later one stays."
    },
    footer = {
      "",
      "Examples:",
      "  canopy load people.csv --index people --keys int64 --values string --key id --value name",
      "  canopy load events.jsonl --index events -c canopy://vm1,vm2",
      "  canopy load people.csv --index people --keys int64 --values 'json(com.shop.Person)'"
          + " --key id --record",
      "",
      "A table can be loaded while it has no indexes; with indexes it is loaded by a program that",
      "has their definitions.",
      "",
      "Files are in UTF-8, or as their byte order mark says.",
      "",
      "Records that come in the order of their keys, above all that the index has, become whole",
      "subtrees, spread over all servers, which is faster; what others write meanwhile is",
      "never overwritten by that. From the first record on that is out of order they are put.",
      "",
      "A load that stops is taken up by --resume: FILE.canopy-load says how far it came. What is",
      "loaded is seen by others as it comes, some hundred or thousand records at a time."
    })
public final class LoadCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int TOLD_EVERY = 1_000;
  private static final int KIB = 1_024;

  /** For picocli. */
  public LoadCommand() {}

  @Mixin private Connect connect = new Connect();

  @Parameters(paramLabel = "FILE", description = "The file; - reads standard input.")
  private String file = "";

  @Option(names = "--index", required = true, paramLabel = "NAME", description = "Where to.")
  private String name = "";

  @Option(
      names = "--keys",
      paramLabel = "CODEC",
      description = {
        "With --values: creates the index where there is none. Codecs:",
        CodecNames.LIST + "."
      })
  private @Nullable String keys;

  @Option(names = "--values", paramLabel = "CODEC", description = "The codec of its values.")
  private @Nullable String values;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "csv or json (as the file's name says).")
  private @Nullable FileFormat format;

  @Option(
      names = "--key",
      paramLabel = "NAME",
      defaultValue = "key",
      description = "Column or field that has the key (key).")
  private String key = "";

  @Option(
      names = "--value",
      paramLabel = "NAME",
      defaultValue = "value",
      description = "Column or field that has the value (value).")
  private String value = "";

  @Option(
      names = "--record",
      description = "The value is the whole record, as a JSON object of all columns or fields.")
  private boolean record;

  @Option(
      names = "--separator",
      paramLabel = "CHARACTER",
      defaultValue = ",",
      description = "Between columns (,).")
  private char separator;

  @Option(
      names = "--batch",
      paramLabel = "RECORDS",
      defaultValue = "500",
      description = "Most of a transaction, 1 to 10000 (500).")
  private int batch;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "4",
      description = "Transactions at a time, 1 to 64 (4).")
  private int workers;

  @Option(
      names = "--wrong-max",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Leave out so many wrong records before giving up (0); the exit code is 1 then, too.")
  private long wrongMax;

  @Option(names = "--by-puts", description = "Put all records, those in order too.")
  private boolean byPuts;

  @Option(names = "--resume", description = "Go on where the last load of this file stopped.")
  private boolean resume;

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    check();
    Path path = file.equals("-") ? null : Path.of(file);
    LoadMark mark = resume && path != null ? LoadMark.read(path, name) : null;
    Narrator narrator = Narrator.onStandardError();
    long leftOut;
    try (RemoteCanopy db = connect.open();
        Counted in = new Counted(path == null ? System.in : Files.newInputStream(path))) {
      boolean isTable = isTable(db);
      EntryCodec<String, String> codec = codec(db, isTable ? TableNames.rows(name) : name);
      try (Intake open = intake(db, isTable, codec, narrator);
          RecordSource records = records(in, TextCodec.isJson(codec.values().id()));
          Progress progress = narrator.ratedProgress("loading", "KiB", size(path))) {
        FileLoad load =
            new FileLoad(new FileLoad.Settings(path, wrongMax), open, codec, mark, narrator::say);
        long beganNanos = System.nanoTime();
        JobTeller job =
            new JobTeller(db, JobReport.Kind.LOAD, codec.index(), fileName(path), "KiB");
        long size = size(path);
        job.over(() -> {
          load.run(
              records,
              () -> {
                if ((load.records() + load.wrong()) % TOLD_EVERY == 0) {
                  progress.reached(kib(in.bytes));
                  job.reached(kib(in.bytes), size);
                }
              });
          job.ends(kib(in.bytes));
        });
        progress.reached(kib(in.bytes));
        print(load, open, System.nanoTime() - beganNanos);
        leftOut = load.wrong();
      }
    } catch (JsonProcessingException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, file + ": " + place(e) + e.getOriginalMessage(), e);
    } catch (BrokenTextException e) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, file + ": " + e.getMessage(), e);
    } catch (CanopyException e) {
      throw new CanopyException(
          e.code(), file + ": " + e.detail(), e.commitState(), e.transactionId(), e, e.facts());
    }
    return leftOut == 0 ? 0 : 1;
  }

  /** The line and column of a broken file; empty where a single value is too large. */
  private static String place(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
  }

  private void check() {
    require(batch >= 1 && batch <= 10_000, "--batch is 1 to 10000");
    require(workers >= 1 && workers <= 64, "--workers is 1 to 64");
    require(wrongMax >= 0, "--wrong-max is 0 or more");
    require((keys == null) == (values == null), "--keys and --values go together");
    boolean stdin = file.equals("-");
    require(!stdin || format != null, "standard input needs --format");
    require(
        format != null || FileFormat.of(file).isPresent(),
        "the name of " + file + " does not say its format: give --format");
    require(!stdin || !resume, "standard input cannot be resumed");
    require(stdin || Files.isReadable(Path.of(file)), "file " + file + " cannot be read");
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private boolean isTable(RemoteCanopy db) {
    TablePart.check(name);
    List<String> indexes = db.indexes();
    return indexes.contains(TableNames.rows(name)) && !indexes.contains(name);
  }

  private Intake intake(
      RemoteCanopy db, boolean isTable, EntryCodec<String, String> codec, Narrator narrator) {
    Encoded ofKeys = new Encoded(codec.keys());
    Encoded ofValues = new Encoded(codec.values());
    if (isTable) {
      Table<byte[], byte[]> table = db.table(name, ofKeys, ofValues);
      checkNoIndexes(table);
      return Intake.ofTable(new LoadWorkers(db, table, workers, batch), narrator::say);
    }
    Index<byte[], byte[]> index = db.index(name, ofKeys, ofValues);
    return Intake.open(
        db, index, new LoadWorkers(db, index, workers, batch), byPuts, narrator::say);
  }

  /**
   * The entries of a table's indexes follow from code that only its programs have. An index that is
   * created later is met by each transaction, which then ends in {@link
   * ErrorCode#DEFINITION_MISMATCH}.
   */
  private void checkNoIndexes(Table<byte[], byte[]> table) {
    for (Map.Entry<String, IndexState> index : table.indexes().entrySet()) {
      if (index.getValue() != IndexState.DROPPING) {
        throw new CanopyException(
            ErrorCode.PART_OF_TABLE,
            "'"
                + name
                + "' is a table with index '"
                + index.getKey()
                + "': load its rows in a program, with Canopy.table, which has the definitions of"
                + " its indexes; or drop them, load, and let the program create them again");
      }
    }
  }

  private EntryCodec<String, String> codec(RemoteCanopy db, String stored) {
    if (keys != null && values != null) {
      return new EntryCodec<>(name, CodecNames.ofKeys(keys), CodecNames.ofValues(values));
    }
    Reply.IndexOpened found = db.describe(stored);
    return new EntryCodec<>(
        name, TextCodec.of(found.keyCodec(), true), TextCodec.of(found.valueCodec(), false));
  }

  private RecordSource records(InputStream in, boolean isJson) throws IOException {
    RecordSource.Value valueOf = new RecordSource.Value(value, record, isJson);
    FileFormat written = format == null ? FileFormat.of(file).orElseThrow() : format;
    return written == FileFormat.CSV
        ? new CsvRecords(in, separator, key, valueOf)
        : new JsonRecords(in, key, valueOf);
  }

  /** Begun KiB, so that a short file is not 0 of 0. */
  private static long kib(long bytes) {
    return (bytes + KIB - 1) / KIB;
  }

  private static String fileName(@Nullable Path path) {
    return path == null ? "standard input" : String.valueOf(path.getFileName());
  }

  private static long size(@Nullable Path path) throws IOException {
    return path == null ? Progress.UNKNOWN : kib(Files.size(path));
  }

  private void print(FileLoad load, Intake intake, long nanos) throws JsonProcessingException {
    double seconds = Math.max(nanos, 1) / 1e9;
    if (output.isJson()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("index", name);
      result.put("records", load.records());
      result.put("wrong", load.wrong());
      result.put("loaded", intake.loaded());
      result.put("transactions", intake.transactions());
      result.put("seconds", seconds);
      spec.commandLine().getOut().println(JSON.writeValueAsString(result));
      return;
    }
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%,d records are in index '%s', %,d left out; %.1f s, %,d as whole subtrees, %,d"
                + " transactions of puts%n",
            load.records(),
            name,
            load.wrong(),
            seconds,
            intake.loaded(),
            intake.transactions());
  }

  /** Counts the bytes that were read. */
  private static final class Counted extends FilterInputStream {
    private long bytes;

    Counted(InputStream in) {
      super(new BufferedInputStream(in));
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      bytes += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      bytes += Math.max(read, 0);
      return read;
    }
  }
}
