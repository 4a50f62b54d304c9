package io.canopygrid.server.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.engine.EntryCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Puts the records of one file into an index. A record whose key is there already replaces the
 * value, so a load can be done again, or taken up where it stopped. Used by one thread.
 */
final class Load {
  /** After so many records all that is under way is awaited, and marked. */
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
   * What is loaded.
   *
   * @param file for the mark; null: there is none, and no mark is kept
   * @param wrongMax so many wrong records are left out; one more ends the load
   */
  record Settings(@Nullable Path file, long wrongMax) {}

  /** What is told goes to {@code tell}, line by line; {@code resumed} null: from the beginning. */
  Load(
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
   * Loads all, and returns when it is committed.
   *
   * @param progress hears of each record
   * @throws CanopyException {@link ErrorCode#CODEC_FAILURE} and the like with the line of a record
   *     that is one wrong too many, {@link ErrorCode#INVALID_ARGUMENT} where the file is not the
   *     one that was begun; what the cluster says. What is marked can be resumed after all of these
   * @throws JsonProcessingException where the file cannot be read on
   */
  void run(Records source, Runnable progress) throws IOException {
    try {
      for (Records.Text text = next(source); text != null; text = next(source)) {
        Entry entry = encoded(text, source);
        if (entry != null) {
          take(entry, source.line());
        }
        progress.run();
      }
    } catch (JsonProcessingException e) {
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

  /** The next record that can be read; null: there is none. */
  private Records.@Nullable Text next(Records source) throws IOException {
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

  private @Nullable Entry encoded(Records.Text text, Records source) {
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
        "the first %d records are not those that were loaded: begin anew, without --resume"
            .formatted(mark.records()));
  }

  /** All that was taken so far is committed and marked. */
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

  /** How many records are in the index, those of the part that was loaded before too. */
  long records() {
    return records;
  }

  /** How many were left out. */
  long wrong() {
    return wrong;
  }
}
