package io.canopygrid.server.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.engine.EntryCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Loads the records of one file into an index. A record whose key exists replaces the value, so a
 * load can be repeated, or resumed where it stopped. Confined to one thread.
 */
final class FileLoad {
  /** After so many records the load awaits their commits and writes its mark. */
  private static final int MARK_EVERY = 50_000;

  private static final int WRONG_TOLD_MAX = 10;

  private final Settings settings;
  private final Intake intake;
  private final EntryCodec<String, String> codec;
  private final Consumer<String> tell;
  private final CRC32C checksum = new CRC32C();
  private final @Nullable LoadMark resumed;
  private long records;
  private long wrong;
  private boolean unmarked;

  /**
   * The settings of a load.
   *
   * @param file the file, beside which the mark is kept; null: the input is no file, and no mark is
   *     kept
   * @param wrongMax how many wrong records are left out; one more ends the load
   */
  record Settings(@Nullable Path file, long wrongMax) {}

  /**
   * A load that tells {@code tell} about itself, line by line; {@code resumed} null: from the
   * beginning.
   */
  FileLoad(
      Settings settings,
      Intake intake,
      EntryCodec<String, String> codec,
      @Nullable LoadMark resumed,
      Consumer<String> tell) {
    this.settings = settings;
    this.intake = intake;
    this.codec = codec;
    this.resumed = resumed;
    this.tell = tell;
  }

  /**
   * Loads all records, and returns when they are committed.
   *
   * @param progress hears of each record; what it throws ends the load
   * @throws CanopyException {@link ErrorCode#CODEC_FAILURE} and the like, with the line of the
   *     record, where too many records are wrong; {@link ErrorCode#INVALID_ARGUMENT} where the file
   *     is not the one of the mark; or the cluster's error. The load can be resumed from its mark
   *     after each of them
   * @throws JsonProcessingException where the file cannot be read on
   * @throws BrokenTextException where its bytes are no text
   */
  void run(RecordSource source, Runnable progress) throws IOException {
    try {
      for (RecordSource.Text text = next(source); text != null; text = next(source)) {
        Entry entry = encoded(text, source);
        if (entry != null) {
          take(entry, source.line());
        }
        tell(progress);
      }
    } catch (JsonProcessingException | BrokenTextException e) {
      stop();
      throw e;
    }
    if (resumed != null && records < resumed.records()) {
      throw changed(resumed);
    }
    intake.flush();
    if (settings.file() != null) {
      LoadMark.remove(settings.file());
    }
  }

  /** A progress that ends the load leaves a mark of all that is loaded. */
  private void tell(Runnable progress) {
    try {
      progress.run();
    } catch (CanopyException e) {
      stop();
      throw e;
    }
  }

  /** The next record that can be read; null: the file ends. */
  private RecordSource.@Nullable Text next(RecordSource source) throws IOException {
    while (true) {
      try {
        return source.next();
      } catch (WrongRecordException e) {
        leaveOut(
            source.line(),
            new CanopyException(ErrorCode.INVALID_ARGUMENT, String.valueOf(e.getMessage())));
      }
    }
  }

  private @Nullable Entry encoded(RecordSource.Text text, RecordSource source) {
    try {
      return new Entry(codec.encodeKey(text.key()), codec.encodeValue(text.value()));
    } catch (CanopyException e) {
      leaveOut(source.line(), e);
      return null;
    }
  }

  private void leaveOut(int line, CanopyException e) {
    wrong++;
    String what = "line " + line + ": " + e.detail();
    if (wrong > settings.wrongMax()) {
      stop();
      throw new CanopyException(e.code(), what, CommitState.NOT_COMMITTED, null, e);
    }
    if (wrong <= WRONG_TOLD_MAX) {
      tell.accept("left out " + e.code() + " " + what);
    }
  }

  private void take(Entry entry, int line) {
    checksum.update(ByteBuffer.allocate(Integer.BYTES).putInt(entry.key().length).flip());
    checksum.update(entry.key());
    checksum.update(entry.value());
    records++;
    if (resumed != null && records <= resumed.records()) {
      if (records == resumed.records() && checksum.getValue() != resumed.checksum()) {
        throw changed(resumed);
      }
      return;
    }
    intake.add(entry, line);
    if (records % MARK_EVERY == 0) {
      stop();
    }
  }

  private CanopyException changed(LoadMark mark) {
    return new CanopyException(
        ErrorCode.INVALID_ARGUMENT,
        String.format(
            Locale.ROOT,
            "the first %d records are not those that were loaded: begin anew, without --resume",
            mark.records()));
  }

  /** Awaits the commits of all records so far, and writes the mark. */
  private void stop() {
    intake.flush();
    Path file = settings.file();
    if (file == null || unmarked || (resumed != null && records < resumed.records())) {
      return;
    }
    try {
      new LoadMark(codec.index(), records, checksum.getValue()).write(file);
    } catch (IOException e) {
      unmarked = true;
      tell.accept("this load cannot be resumed, as its mark cannot be written: " + e.getMessage());
    }
  }

  /** The number of records that are loaded, those before the mark included. */
  long records() {
    return records;
  }

  /** The number of wrong records that were left out. */
  long wrong() {
    return wrong;
  }
}
