package io.canopygrid.server.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import io.canopygrid.names.IndexNames;
import io.canopygrid.server.backup.format.Manifest;
import io.canopygrid.server.backup.store.BlobStore;
import io.canopygrid.server.backup.store.BlobStores;
import io.canopygrid.server.shell.Connect;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Progress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy backup restore}: fills a cluster with what a backup has. */
@Command(
    name = "restore",
    description = {
      "Restore a backup, or some indexes and tables of it, into a cluster of any size.",
      "Until all is there the cluster has the index canopy.restore, and no secondary index can be",
      "read: let programs begin when the command has ended with 0."
    },
    footer = {
      "",
      "Examples:",
      "  canopy backup restore /backups/shop -c canopy://new1",
      "  canopy backup restore /backups/shop --index people --as people-of-monday",
      "",
      "A restore that was interrupted goes on with --resume; 'canopy backup discard' removes what",
      "it has made."
    })
final class RestoreCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();

  @Mixin private Connect connect = new Connect();

  @Parameters(paramLabel = "DIR", index = "0", description = "Where the backups are.")
  private String location = "";

  @Parameters(
      paramLabel = "BACKUP",
      index = "1",
      arity = "0..1",
      defaultValue = "",
      description = "The backup (the newest whole one).")
  private String name = "";

  @Option(
      names = "--index",
      paramLabel = "NAME",
      description = "Restore this index or table only; several times for several ones.")
  private List<String> wanted = List.of();

  @Option(
      names = "--as",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The name that it gets, where --index is given once.")
  private String as = "";

  @Option(names = "--replace", description = "Drop what has the same names before.")
  private boolean replace;

  @Option(names = "--resume", description = "Go on with a restore that was interrupted.")
  private boolean resume;

  @Mixin private WorkersOption workers = new WorkersOption();

  @Mixin private OutputOption output = new OutputOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    int threads = workers.checked();
    require(as.isEmpty() || wanted.size() == 1, "--as needs --index once");
    require(!resume || (wanted.isEmpty() && !replace), "--resume goes on as the restore has begun");
    if (!as.isEmpty()) {
      IndexNames.checked(as);
    }
    Narrator narrator = Narrator.onStandardError();
    try (BlobStore store = BlobStores.open(location);
        RemoteCanopy db = connect.open()) {
      RestoreMark known = resume ? BackupRestore.unfinished(db, null) : null;
      String backup = known == null || !name.isEmpty() ? name : known.work().backup();
      BackupFolder folder = BackupFolder.find(store, backup, BackupFolder::isWhole);
      Manifest manifest = folder.manifest();
      folder.checkFiles(manifest);
      RestoreMark mark =
          known == null ? begin(db, manifest) : BackupRestore.unfinished(db, manifest);
      narrator.say("restoring backup " + manifest.name() + " of grid " + manifest.grid());
      BackupRestore restore = new BackupRestore(db, folder, manifest, mark);
      long beganNanos = System.nanoTime();
      try (Progress progress = narrator.ratedProgress("restoring", "entries", restore.expected())) {
        JobTeller job = new JobTeller(db, JobReport.Kind.RESTORE, "", manifest.name(), "entries");
        job.over(() -> {
          restore.run(
              threads,
              known == null,
              () -> {
                progress.reached(restore.written());
                job.reached(restore.written(), restore.expected());
              });
          job.ends(restore.written());
        });
      } catch (CanopyException e) {
        throw new CanopyException(
            e.code(),
            e.detail()
                + "; the restore is not complete: go on with --resume, or 'canopy backup"
                + " discard'",
            e.commitState(),
            e.transactionId(),
            e,
            e.facts());
      }
      print(manifest, mark, restore, System.nanoTime() - beganNanos);
      return 0;
    }
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), otherwise);
    }
  }

  private RestoreMark begin(RemoteCanopy db, Manifest manifest) {
    BackupRestore.checkUnmarked(db);
    Map<String, String> names = RestoreSelection.of(manifest, wanted, as);
    Set<String> there = BackupRestore.inTheWay(db, names.values());
    if (!there.isEmpty() && !replace) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "the grid has "
              + String.join(", ", there)
              + " already: drop them, restore under another name with --index and --as, or give"
              + " --replace");
    }
    return RestoreMark.begin(
        db, new RestoreWork(manifest.name(), manifest.grid(), names, RestoreWork.Step.CLEARING));
  }

  private void print(Manifest manifest, RestoreMark mark, BackupRestore restore, long nanos) {
    double seconds = Math.max(nanos, 1) / 1e9;
    if (output.isJson()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("backup", manifest.name());
      result.put("indexes", mark.work().names().size());
      result.put("entries", restore.expected());
      result.put("bytes", restore.bytes());
      result.put("seconds", seconds);
      spec.commandLine().getOut().println(json(result));
      return;
    }
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "backup %s is restored: %,d entries of %,d indexes, %,d bytes; %.1f s, %.1f MB/s%n",
            manifest.name(),
            restore.expected(),
            mark.work().names().size(),
            restore.bytes(),
            seconds,
            restore.bytes() / 1e6 / seconds);
  }

  private static String json(Map<String, Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
