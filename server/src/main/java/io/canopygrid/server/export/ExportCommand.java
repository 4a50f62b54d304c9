package io.canopygrid.server.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.TablePart;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import io.canopygrid.names.TableNames;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.load.Encoded;
import io.canopygrid.server.load.FileFormat;
import io.canopygrid.server.load.JsonValues;
import io.canopygrid.server.shell.Connect;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Progress;
import io.canopygrid.wire.client.Reply;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
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

/** {@code canopy export}: writes an index or the rows of a table into a file. */
@Command(
    name = "export",
    description = {
      "Write an index, or the rows of a table, into a CSV or JSON file.",
      "All records are of one snapshot, whatever others write meanwhile. A load of the file into an",
      "empty index of the same codecs makes the same bytes."
    },
    footer = {
      "",
      "Examples:",
      "  canopy export people.csv --index people -c canopy://vm1,vm2",
      "  canopy export - --format json --index people --from 100 --to 199 --limit 10",
      "  canopy shell -e 'snapshot night'",
      "  canopy export events.jsonl --index events --snapshot night",
      "  canopy export events.jsonl --index events --snapshot night --resume",
      "",
      "The file is written as FILE.part, and has its name when it is whole and on the disk. Where",
      "an export was not whole standard output has what came until then: look at the exit code.",
      "",
      "Without --snapshot the export is one transaction, which the grid ends after",
      "cluster.snapshotAgeMax (5 min): it says SNAPSHOT_TOO_OLD then. A named snapshot is kept until",
      "it is dropped, so an export of one can take any time, and is gone on with by --resume:",
      "FILE.canopy-export says how far it came."
    })
public final class ExportCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String STANDARD_OUTPUT = "-";

  /** For picocli. */
  public ExportCommand() {}

  @Mixin private Connect connect = new Connect();

  @Parameters(paramLabel = "FILE", description = "The file; - writes to standard output.")
  private String file = "";

  @Option(names = "--index", required = true, paramLabel = "NAME", description = "Index or table.")
  private String name = "";

  @Option(names = "--from", paramLabel = "KEY", description = "First key, included.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "KEY", description = "Last key, included.")
  private @Nullable String to;

  @Option(names = "--limit", paramLabel = "N", description = "At most so many entries.")
  private long limit = ResumeToken.NO_LIMIT;

  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Named snapshot to export (the present).")
  private String snapshot = "";

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description = "Time whose state to export, as 2026-11-28T12:00:00Z; needs cluster.retention.")
  private @Nullable Instant asOf;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "csv or json (as the file's name says).")
  private @Nullable FileFormat format;

  @Option(
      names = "--key",
      paramLabel = "NAME",
      defaultValue = "key",
      description = "Column or field for the key (key).")
  private String key = "";

  @Option(
      names = "--value",
      paramLabel = "NAME",
      defaultValue = "value",
      description = "Column or field for the value (value).")
  private String value = "";

  @Option(
      names = "--separator",
      paramLabel = "CHARACTER",
      defaultValue = ",",
      description = "Between columns (,).")
  private char separator;

  @Option(
      names = "--wrong-max",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "Leave out so many entries that a load could not take before giving up (0); the exit code"
            + " is 1 then, too."
      })
  private long wrongMax;

  @Option(names = "--replace", description = "Replace the file, if there is one, when all is well.")
  private boolean replace;

  @Option(
      names = "--resume",
      description =
          "Go on where the last export of this file stopped; needs --snapshot or --as-of.")
  private boolean resume;

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The source of the records. */
  private record Source(
      RemoteCanopy db, Index<byte[], byte[]> index, EntryCodec<String, String> codec) {}

  @Override
  public Integer call() {
    check();
    try (RemoteCanopy db = connect.open()) {
      String stored = isTable(db) ? TableNames.rows(name) : name;
      EntryCodec<String, String> codec = codec(db, stored);
      Index<byte[], byte[]> index =
          db.index(stored, new Encoded(codec.keys()), new Encoded(codec.values()));
      Source source = new Source(db, index, codec);
      return file.equals(STANDARD_OUTPUT)
          ? export(source, new PipeWriter(spec.commandLine().getOut()), null, null)
          : toFile(source, Path.of(file));
    } catch (IOException e) {
      throw WriteFailures.coded(file, e);
    } catch (CanopyException e) {
      throw new CanopyException(
          e.code(),
          file + ": " + e.detail() + hint(e.code()),
          e.commitState(),
          e.transactionId(),
          e,
          e.facts());
    }
  }

  /** The advice of a code that here is another one than in a program. */
  private String hint(ErrorCode code) {
    if (code == ErrorCode.SNAPSHOT_TOO_OLD) {
      return "; the export is not whole: export a named snapshot, with --snapshot";
    }
    if (code == ErrorCode.UNKNOWN_SNAPSHOT && resume) {
      return "; the rest would be of another snapshot: begin anew, without --resume";
    }
    return "";
  }

  private int toFile(Source source, Path path) throws IOException {
    ExportMark mark = resume ? ExportMark.read(path, describe(source.codec())) : null;
    try (PartFile part =
        mark == null ? PartFile.begin(path, replace) : PartFile.resume(path, replace, mark)) {
      try {
        Writer text = new OutputStreamWriter(part.stream(), StandardCharsets.UTF_8.newEncoder());
        return export(source, text, part, mark);
      } catch (IOException | RuntimeException e) {
        part.discard();
        throw e;
      }
    }
  }

  private int export(Source source, Writer text, @Nullable PartFile part, @Nullable ExportMark mark)
      throws IOException {
    Narrator narrator = Narrator.onStandardError();
    EntryCodec<String, String> codec = source.codec();
    RecordSink sink = sink(text, TextCodec.isJson(codec.values().id()));
    try (Progress progress = narrator.ratedProgress("exporting", "records", Progress.UNKNOWN)) {
      JobTeller job =
          new JobTeller(source.db(), JobReport.Kind.EXPORT, name, fileName(), "records");
      ToldWatch watch = new ToldWatch(progress, job, narrator, part, describe(codec));
      IndexExport export =
          new IndexExport(source.db(), source.index(), codec, plan(codec), sink, watch);
      long beganNanos = System.nanoTime();
      job.over(() -> {
        if (mark == null) {
          sink.begin();
          export.run();
        } else {
          export.resume(mark.at());
        }
        if (part != null) {
          part.complete();
        }
        job.ends(watch.done());
      });
      print(export, part, narrator, System.nanoTime() - beganNanos);
      return export.wrong() == 0 ? 0 : 1;
    }
  }

  private void check() {
    require(limit >= 1, "--limit is 1 or more");
    require(wrongMax >= 0, "--wrong-max is 0 or more");
    require(!key.equals(value), "--key and --value are two names");
    require(!key.equals(JsonValues.textField(value)), "--key is another name than that of --value");
    require("\"\r\n".indexOf(separator) < 0, "--separator is no quote and no end of a line");
    boolean stdout = file.equals(STANDARD_OUTPUT);
    require(!stdout || format != null, "standard output needs --format");
    require(
        format != null || FileFormat.of(file).isPresent(),
        "the name of " + file + " does not say its format: give --format");
    require(!stdout || !resume, "standard output cannot be resumed");
    require(
        asOf == null || snapshot.isEmpty(), "--snapshot and --as-of are two snapshots: give one");
    require(
        !resume || !snapshot().isEmpty(),
        "only an export of one state can be resumed, with --snapshot or --as-of");
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  /** The name of the snapshot; empty: the present. */
  private String snapshot() {
    return asOf == null ? snapshot : TransactionOptions.DEFAULTS.asOf(asOf).snapshot();
  }

  private FileFormat format() {
    return format == null ? FileFormat.of(file).orElseThrow() : format;
  }

  /** The words for this export: one that is resumed has the same. */
  private String describe(EntryCodec<String, String> codec) {
    return String.format(
        Locale.ROOT,
        "index '%s' of %s and %s in snapshot '%s', from %s to %s, limit %s, as %s with separator '%s', key '%s',"
            + " value '%s'",
        name,
        codec.keys().id(),
        codec.values().id(),
        snapshot(),
        from == null ? "the first key" : "'" + from + "'",
        to == null ? "the last key" : "'" + to + "'",
        limit == ResumeToken.NO_LIMIT ? "none" : limit,
        format(),
        separator,
        key,
        value);
  }

  private boolean isTable(RemoteCanopy db) {
    TablePart.check(name);
    List<String> indexes = db.indexes();
    return indexes.contains(TableNames.rows(name)) && !indexes.contains(name);
  }

  private static EntryCodec<String, String> codec(RemoteCanopy db, String stored) {
    Reply.IndexOpened found = db.describe(stored);
    return new EntryCodec<>(
        stored, TextCodec.of(found.keyCodec(), true), TextCodec.of(found.valueCodec(), false));
  }

  private IndexExport.Plan plan(EntryCodec<String, String> codec) {
    byte[] first = from == null ? null : codec.encodeKey(from);
    byte[] last = to == null ? null : codec.encodeKey(to);
    Range<byte[]> range;
    if (first == null) {
      range = last == null ? Range.all() : Range.atMost(last);
    } else {
      range = last == null ? Range.atLeast(first) : Range.closed(first, last);
    }
    return new IndexExport.Plan(range, limit, snapshot(), wrongMax);
  }

  private RecordSink sink(Writer text, boolean isJson) throws IOException {
    return format() == FileFormat.CSV
        ? new CsvSink(text, separator, key, value)
        : new JsonSink(text, key, value, isJson);
  }

  private String fileName() {
    return file.equals(STANDARD_OUTPUT)
        ? "standard output"
        : String.valueOf(Path.of(file).getFileName());
  }

  /** Standard output has nothing but records where these go there. */
  private void print(IndexExport export, @Nullable PartFile part, Narrator narrator, long nanos)
      throws JsonProcessingException {
    String line = output.isJson() ? json(export, part, nanos) : text(export, part, nanos);
    if (part == null) {
      narrator.say(line);
    } else {
      spec.commandLine().getOut().println(line);
    }
  }

  private String json(IndexExport export, @Nullable PartFile part, long nanos)
      throws JsonProcessingException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("index", name);
    result.put("records", export.records());
    result.put("wrong", export.wrong());
    if (part != null) {
      result.put("bytes", part.bytes());
    }
    result.put("seconds", nanos / 1e9);
    return JSON.writeValueAsString(result);
  }

  private String text(IndexExport export, @Nullable PartFile part, long nanos) {
    return String.format(
        Locale.ROOT,
        "%,d records of index '%s' are written, %,d left out; %.1f s%s",
        export.records(),
        name,
        export.wrong(),
        nanos / 1e9,
        part == null ? "" : String.format(Locale.ROOT, ", %,d bytes", part.bytes()));
  }
}
