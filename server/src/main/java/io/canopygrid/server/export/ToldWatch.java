package io.canopygrid.server.export;

import io.canopygrid.job.JobTeller;
import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.server.terminal.Progress;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Tells people and a server how an export comes on. Confined to one thread. */
final class ToldWatch implements IndexExport.Watch {
  private static final int TOLD_EVERY = 1_000;

  private final Progress progress;
  private final JobTeller job;
  private final Narrator narrator;
  private final @Nullable PartFile part;
  private final String what;
  private long total = Progress.UNKNOWN;
  private long done;

  /**
   * The watch of an export.
   *
   * @param part where positions are marked; null: nowhere
   * @param what the export is of, in the words of marks
   */
  ToldWatch(
      Progress progress, JobTeller job, Narrator narrator, @Nullable PartFile part, String what) {
    this.progress = progress;
    this.job = job;
    this.narrator = narrator;
    this.part = part;
    this.what = what;
  }

  /** The entries that were written or left out. */
  long done() {
    return done;
  }

  @Override
  public void expects(long entries) {
    total = entries;
    progress.expects(entries);
    job.reached(done, total);
  }

  @Override
  public void wrote() {
    done++;
    if (done % TOLD_EVERY == 0) {
      tell();
    }
  }

  @Override
  public void reached(ExportMark.Position at) throws IOException {
    if (part != null) {
      part.mark(what, at);
    }
    tell();
  }

  private void tell() {
    progress.reached(done);
    job.reached(done, total);
  }

  @Override
  public void ended() {
    progress.reached(done);
  }

  @Override
  public void say(String line) {
    narrator.say(line);
  }
}
