package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.backup.format.Manifest;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a verification.
 *
 * @param problems the first of them where they are many
 */
record VerifiedBackup(
    String name,
    long entries,
    long bytes,
    double seconds,
    long problemCount,
    List<String> problems) {
  VerifiedBackup {
    problems = List.copyOf(problems);
  }

  /**
   * Reads all of a backup.
   *
   * @throws CanopyException {@link ErrorCode#BACKUP_FORMAT}, {@link ErrorCode#BACKUP_STORE_FAILED}
   */
  static VerifiedBackup of(BackupFolder folder, int workers, Narrator narrator) {
    long beganNanos = System.nanoTime();
    Manifest manifest;
    try {
      manifest = folder.manifest();
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.BACKUP_DAMAGED) {
        throw e;
      }
      return new VerifiedBackup(folder.name(), 0, 0, 0, 1, List.of(e.detail()));
    }
    BackupVerification verification = new BackupVerification(folder, manifest);
    try (Progress progress = narrator.ratedProgress("verifying", "entries", Progress.UNKNOWN)) {
      verification.run(workers, () -> progress.reached(verification.read()));
    }
    return new VerifiedBackup(
        folder.name(),
        manifest.entries(),
        manifest.bytes(),
        (System.nanoTime() - beganNanos) / 1e9,
        verification.problemCount(),
        verification.problems());
  }

  List<String> lines() {
    if (problemCount == 0) {
      return List.of(
          String.format(
              Locale.ROOT,
              "backup %s: no problem was found; %,d entries, %,d bytes; %.1f s, %.1f MB/s",
              name,
              entries,
              bytes,
              seconds,
              bytes / 1e6 / Math.max(seconds, 1e-9)));
    }
    List<String> lines = new ArrayList<>();
    lines.add(ErrorCode.BACKUP_DAMAGED + " backup " + name + ": problems: " + problemCount);
    problems.forEach(problem -> lines.add("  " + problem));
    return lines;
  }

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("backup", name);
    fields.put("entries", entries);
    fields.put("bytes", bytes);
    fields.put("problemCount", problemCount);
    fields.put("problems", problems);
    fields.put("seconds", seconds);
    return fields;
  }
}
