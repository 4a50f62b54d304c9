package io.canopygrid.server.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import io.canopygrid.server.backup.BackupPlan.PlannedIndex;
import io.canopygrid.server.backup.format.Manifest;
import io.canopygrid.server.backup.store.BlobStore;
import io.canopygrid.server.backup.store.BlobStores;
import io.canopygrid.server.shell.Connect;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.OutputOption;
import io.canopygrid.server.terminal.Printable;
import io.canopygrid.server.terminal.Progress;
import io.canopygrid.server.terminal.TextTable;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy backup}: makes and keeps backups of a whole cluster. */
@Command(
    name = "backup",
    subcommands = RestoreCommand.class,
    description = {
      "Back up a whole cluster while it runs, check backups, and restore them.",
      "DIR is a directory with any number of backups. Each is named by the time of its snapshot."
    },
    footer = {
      "",
      "Examples:",
      "  canopy backup create /backups/shop -c canopy://vm1,vm2",
      "  canopy backup list /backups/shop",
      "  canopy backup verify /backups/shop",
      "  canopy backup restore /backups/shop -c canopy://new1",
      "  canopy backup remove /backups/shop 20261128T010000.000Z"
    })
public final class BackupCommand implements Runnable {
  /** The exit code of a verification that has found something. */
  private static final int DAMAGED = 3;

  private static final int FILE_MIB_MAX = 64;
  private static final JsonMapper JSON = new JsonMapper();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public BackupCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  @Command(
      name = "create",
      description = {
        "Back up all indexes and tables of a cluster as they are in one snapshot.",
        "Users and their passwords are not in it. The backup is whole when it has its manifest,",
        "which is written last. The snapshot is dropped at the end, also after Ctrl-C or a failure."
      })
  int create(
      @Mixin Connect connect,
      @Parameters(paramLabel = "DIR", description = "Where the backups are.") String location,
      @Option(
              names = "--resume",
              description = {
                "Go on with the last backup that is not whole, if there is one, and keep the"
                    + " snapshot",
                "where this one fails, so that it can be gone on with."
              })
          boolean resume,
      @Option(
              names = "--file-size",
              paramLabel = "MIB",
              defaultValue = "16",
              description = "Keys and values of a file, 1 to 64 MiB (16).")
          int fileSize,
      @Mixin WorkersOption workers,
      @Mixin OutputOption output) {
    int threads = workers.checked();
    if (fileSize < 1 || fileSize > FILE_MIB_MAX) {
      throw new ParameterException(spec.commandLine(), "--file-size is 1 to " + FILE_MIB_MAX);
    }
    Narrator narrator = Narrator.onStandardError();
    try (BlobStore store = BlobStores.open(location);
        RemoteCanopy db = connect.open()) {
      BackupBeginning beginning = new BackupBeginning(db, store, fileSize << 20);
      BackupBeginning.Begun found = resume ? beginning.unfinished(narrator::say) : null;
      BackupBeginning.Begun begun = found == null ? beginning.anew() : found;
      if (found != null) {
        narrator.say("going on with backup " + begun.plan().name());
      }
      if (resume) {
        begun.snapshot().keep();
      }
      long beganNanos = System.nanoTime();
      Manifest manifest;
      try {
        manifest = write(db, begun, fileSize << 20, threads, narrator);
      } catch (CanopyException e) {
        throw failed(begun, resume, e);
      } finally {
        if (!resume) {
          begun.snapshot().close();
        }
      }
      if (resume) {
        begun.snapshot().close();
      }
      begun.folder().tidy();
      print(manifest, output, System.nanoTime() - beganNanos);
      return 0;
    }
  }

  private static Manifest write(
      RemoteCanopy db, BackupBeginning.Begun begun, int fileBytes, int workers, Narrator narrator) {
    long expected = begun.plan().indexes().stream().mapToLong(PlannedIndex::entries).sum();
    BackupCreation creation =
        new BackupCreation(db, begun.folder(), begun.plan(), begun.indexes(), fileBytes);
    JobTeller job = new JobTeller(db, JobReport.Kind.BACKUP, "", begun.plan().name(), "entries");
    AtomicReference<Manifest> manifest = new AtomicReference<>();
    try (Progress progress = narrator.ratedProgress("backing up", "entries", expected)) {
      job.over(() -> {
        manifest.set(
            creation.run(
                workers,
                () -> {
                  progress.reached(creation.written());
                  job.reached(creation.written(), expected);
                }));
        job.ends(creation.written());
      });
    }
    return Objects.requireNonNull(manifest.get());
  }

  /** The files of a backup that cannot be gone on with are removed. */
  private static CanopyException failed(
      BackupBeginning.Begun begun, boolean resume, CanopyException e) {
    if (resume) {
      return again(
          e,
          "; snapshot '"
              + begun.plan().snapshot()
              + "' is kept: go on with the same command, or drop it");
    }
    try {
      begun.folder().remove();
    } catch (CanopyException left) {
      e.addSuppressed(left); // it has no manifest
    }
    return again(e, "; there is no backup of this");
  }

  private static CanopyException again(CanopyException e, String more) {
    return new CanopyException(
        e.code(), e.detail() + more, e.commitState(), e.transactionId(), e, e.facts());
  }

  private void print(Manifest manifest, OutputOption output, long nanos) {
    double seconds = Math.max(nanos, 1) / 1e9;
    PrintWriter out = spec.commandLine().getOut();
    if (output.isJson()) {
      Map<String, Object> result = fields(manifest);
      result.put("seconds", seconds);
      out.println(json(result));
      return;
    }
    out.printf(
        Locale.ROOT,
        "backup %s is whole: %,d entries of %,d indexes, %,d bytes, %,d compressed; %.1f s, %.1f"
            + " MB/s%n",
        manifest.name(),
        manifest.entries(),
        manifest.indexes().size(),
        manifest.bytes(),
        manifest.size(),
        seconds,
        manifest.bytes() / 1e6 / seconds);
  }

  private static Map<String, Object> fields(Manifest manifest) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("backup", manifest.name());
    fields.put("taken", manifest.taken());
    fields.put("grid", manifest.grid());
    fields.put("indexes", manifest.indexes().size());
    fields.put("entries", manifest.entries());
    fields.put("bytes", manifest.bytes());
    fields.put("size", manifest.size());
    return fields;
  }

  private static String json(Map<String, Object> fields) {
    try {
      return Printable.line(JSON.writeValueAsString(fields));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Command(name = "list", description = "List the backups of a directory, the oldest one first.")
  int list(
      @Parameters(paramLabel = "DIR", description = "Where the backups are.") String location,
      @Mixin OutputOption output) {
    PrintWriter out = spec.commandLine().getOut();
    TextTable table =
        new TextTable(List.of("backup", "state", "indexes", "entries", "bytes", "compressed"));
    try (BlobStore store = BlobStores.open(location)) {
      for (BackupFolder folder : BackupFolder.all(store)) {
        ListedBackup listed = ListedBackup.of(folder);
        if (output.isJson()) {
          out.println(json(listed.fields()));
        } else {
          table.add(listed.cells());
        }
      }
    }
    if (!output.isJson()) {
      table.lines().forEach(out::println);
    }
    return 0;
  }

  @Command(
      name = "verify",
      description = {
        "Read all of a backup and look for what is wrong: missing files, wrong checksums and counts,",
        "keys out of order, entries of secondary indexes without a row."
      },
      exitCodeListHeading = "Exit code:%n",
      exitCodeList = {
        "0:no problem was found",
        "1:failure",
        "2:wrong command",
        "3:problems were found"
      })
  int verify(
      @Parameters(paramLabel = "DIR", description = "Where the backups are.") String location,
      @Parameters(
              paramLabel = "BACKUP",
              arity = "0..1",
              defaultValue = "",
              description = "The backup (the newest one, whole or not).")
          String name,
      @Mixin WorkersOption workers,
      @Mixin OutputOption output) {
    int threads = workers.checked();
    Narrator narrator = Narrator.onStandardError();
    try (BlobStore store = BlobStores.open(location)) {
      BackupFolder folder = BackupFolder.find(store, name, any -> true);
      VerifiedBackup verified = VerifiedBackup.of(folder, threads, narrator);
      PrintWriter out = spec.commandLine().getOut();
      if (output.isJson()) {
        out.println(json(verified.fields()));
      } else {
        verified.lines().forEach(line -> out.println(Printable.line(line)));
      }
      return verified.problemCount() == 0 ? 0 : DAMAGED;
    }
  }

  @Command(
      name = "remove",
      description = {
        "Remove a backup from its directory: of a whole one the manifest first.",
        "A snapshot that an unfinished one has kept stays in the grid until it is dropped."
      })
  int remove(
      @Parameters(paramLabel = "DIR", description = "Where the backups are.") String location,
      @Parameters(paramLabel = "BACKUP", description = "The backup.") String name) {
    try (BlobStore store = BlobStores.open(location)) {
      BackupFolder folder = BackupFolder.find(store, name, any -> true);
      folder.remove();
      spec.commandLine().getOut().println("backup " + folder.name() + " is removed");
      return 0;
    }
  }

  @Command(
      name = "discard",
      description = "Drop all that a restore which was interrupted has made in a cluster.")
  int discard(@Mixin Connect connect) {
    try (RemoteCanopy db = connect.open()) {
      RestoreMark mark = BackupRestore.unfinished(db, null);
      BackupRestore.discard(db, mark);
      spec.commandLine()
          .getOut()
          .println(
              mark.work().isComplete()
                  ? "the restore of backup " + mark.work().backup() + " was complete already"
                  : "what was restored of backup " + mark.work().backup() + " is dropped");
      return 0;
    }
  }
}
