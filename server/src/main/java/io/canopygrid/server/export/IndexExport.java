package io.canopygrid.server.export;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.ResumeToken;
import io.canopygrid.TransactionOptions;
import io.canopygrid.engine.EntryCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Writes the entries of an index, or of a range of it, as records. All are of one snapshot: either
 * of one transaction, which the grid ends after some minutes, or of a named snapshot, which is read
 * page by page and can be gone on with. Confined to one thread.
 */
final class IndexExport {
  /** A page ends after so many entries, or this many bytes. */
  static final int PAGE_ENTRIES = 50_000;

  private static final int PAGE_BYTES = 16 << 20;
  private static final int WRONG_TOLD_MAX = 10;

  private static final TransactionOptions PAGE =
      TransactionOptions.labelled("export").withTimeout(Duration.ofMinutes(2));

  /** Tried once: a second attempt would be of another snapshot. */
  private static final TransactionOptions ONCE =
      TransactionOptions.labelled("export")
          .withTimeout(TransactionOptions.TIMEOUT_MAX)
          .withMaxAttempts(1);

  private final Canopy db;
  private final Index<byte[], byte[]> index;
  private final EntryCodec<String, String> texts;
  private final Plan plan;
  private final RecordSink sink;
  private final Watch watch;
  private long records;
  private long wrong;
  private long total;

  /**
   * The part that is exported.
   *
   * @param range of encoded keys
   * @param limit of entries; {@link ResumeToken#NO_LIMIT}
   * @param snapshot the name of the snapshot; empty: the present
   * @param wrongMax how many entries are left out that a load could not take; one more ends the
   *     export
   */
  record Plan(Range<byte[]> range, long limit, String snapshot, long wrongMax) {}

  /** Hears how the export comes on. */
  interface Watch {
    /** There are this many entries to write from now on. */
    void expects(long entries);

    /** One more entry was written or left out. */
    void wrote();

    /** All records before this position were given to the sink. */
    void reached(ExportMark.Position at) throws IOException;

    /** All is written. */
    void ended();

    /** Something for people, a line. */
    void say(String line);
  }

  /** An entry's bytes. */
  private record Entry(byte[] key, byte[] value) {}

  /** Some entries, and the token of what follows them; {@code isLast}: nothing does. */
  private record Page(List<Entry> entries, ResumeToken next, boolean isLast) {}

  IndexExport(
      Canopy db,
      Index<byte[], byte[]> index,
      EntryCodec<String, String> texts,
      Plan plan,
      RecordSink sink,
      Watch watch) {
    this.db = db;
    this.index = index;
    this.texts = texts;
    this.plan = plan;
    this.sink = sink;
    this.watch = watch;
  }

  /**
   * Exports all of it.
   *
   * @throws CanopyException {@link ErrorCode#SNAPSHOT_TOO_OLD} where the grid gave the snapshot up;
   *     {@link ErrorCode#UNKNOWN_SNAPSHOT} where the named one is not there, or not any more;
   *     {@link ErrorCode#CODEC_FAILURE} and the like where too many entries could not be loaded
   *     again; or the cluster's error. The records until then are not whole
   */
  void run() throws IOException {
    if (plan.snapshot().isEmpty()) {
      inOneTransaction();
    } else {
      pages(begin());
    }
    sink.flush();
    watch.ended();
  }

  /**
   * Goes on at a position of the same plan.
   *
   * @throws CanopyException as {@link #run}
   */
  void resume(ExportMark.Position at) throws IOException {
    records = at.records();
    wrong = at.wrong();
    total = at.total();
    watch.expects(total - records - wrong);
    pages(ResumeToken.parse(at.token()));
    sink.flush();
    watch.ended();
  }

  private void inOneTransaction() throws IOException {
    try {
      db.<Boolean, IOException>read(
          ONCE,
          tx -> {
            ReadView<byte[], byte[]> view = tx.on(index);
            count(view);
            try (Cursor<byte[], byte[]> all = cursor(view)) {
              for (Map.Entry<byte[], byte[]> entry : all) {
                write(entry.getKey(), entry.getValue());
              }
            }
            return true;
          });
    } catch (CanopyException e) {
      throw e.code() == ErrorCode.RETRIES_EXHAUSTED && e.getCause() instanceof CanopyException only
          ? only
          : e;
    }
  }

  private Cursor<byte[], byte[]> cursor(ReadView<byte[], byte[]> view) {
    return view.scan(plan.range()).limit(plan.limit());
  }

  private void count(ReadView<byte[], byte[]> view) {
    total = Math.min(plan.limit(), view.count(plan.range()));
    watch.expects(total);
  }

  /** The token of the first entry of the named snapshot. */
  private ResumeToken begin() {
    return db.<ResumeToken, RuntimeException>read(
        PAGE.at(plan.snapshot()),
        tx -> {
          ReadView<byte[], byte[]> view = tx.on(index);
          count(view);
          try (Cursor<byte[], byte[]> all = cursor(view)) {
            return all.resumeToken();
          }
        });
  }

  private void pages(ResumeToken first) throws IOException {
    ResumeToken at = first;
    while (true) {
      Page page = page(at);
      for (Entry entry : page.entries()) {
        write(entry.key(), entry.value());
      }
      if (page.isLast()) {
        return;
      }
      at = page.next();
      sink.flush();
      watch.reached(new ExportMark.Position(at.toString(), records, wrong, total));
    }
  }

  /** A page is read into memory, since its transaction may run again. */
  private Page page(ResumeToken at) {
    return db.<Page, RuntimeException>read(
        PAGE.resuming(at),
        tx -> {
          try (Cursor<byte[], byte[]> rest = tx.on(index).resume(at)) {
            List<Entry> entries = new ArrayList<>();
            Iterator<Map.Entry<byte[], byte[]>> next = rest.iterator();
            int bytes = 0;
            while (entries.size() < PAGE_ENTRIES && bytes < PAGE_BYTES && next.hasNext()) {
              Map.Entry<byte[], byte[]> entry = next.next();
              entries.add(new Entry(entry.getKey(), entry.getValue()));
              bytes += entry.getKey().length + entry.getValue().length;
            }
            return new Page(entries, rest.resumeToken(), !next.hasNext());
          }
        });
  }

  /** Writes an entry whose texts stand for its very bytes. */
  private void write(byte[] key, byte[] value) throws IOException {
    String keyText;
    String valueText;
    try {
      keyText = same("key", key, texts.decodeKey(key), texts::encodeKey);
      valueText = same("value", value, texts.decodeValue(value), texts::encodeValue);
    } catch (CanopyException e) {
      leaveOut(key, e);
      return;
    }
    sink.write(keyText, valueText);
    records++;
    watch.wrote();
  }

  private interface Encode {
    byte[] bytes(String text);
  }

  private static String same(String what, byte[] bytes, String text, Encode encode) {
    if (!Arrays.equals(encode.bytes(text), bytes)) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "the " + what + " '" + text + "' is stored in another form");
    }
    return text;
  }

  private void leaveOut(byte[] key, CanopyException e) {
    wrong++;
    String what = "the entry of key 0x" + HexFormat.of().formatHex(key) + ": " + e.detail();
    if (wrong > plan.wrongMax()) {
      throw new CanopyException(e.code(), what, CommitState.NOT_COMMITTED, null, e);
    }
    if (wrong <= WRONG_TOLD_MAX) {
      watch.say("left out " + e.code() + " " + what);
    }
    watch.wrote();
  }

  /** The number of records that are written, those before a resumed position included. */
  long records() {
    return records;
  }

  /** The number of entries that were left out. */
  long wrong() {
    return wrong;
  }
}
