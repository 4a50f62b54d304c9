package io.canopygrid.server.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.client.RemoteCanopy;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The index by which a grid says that it is being restored, and how far that is. It is there from
 * before the first change until all is restored.
 */
final class RestoreMark {
  /** The index's name. */
  static final String INDEX = "canopy.restore";

  /** The advice for a grid that has it. */
  static final String HINT =
      "a restore is under way, or was interrupted: go on with 'canopy backup restore --resume', or"
          + " remove what it has made with 'canopy backup discard'";

  private static final String WORK = "restore";
  private static final String DONE = "done ";
  private static final JsonMapper JSON = new JsonMapper();

  private final RemoteCanopy db;
  private final Index<String, String> index;
  private final RestoreWork work;

  private RestoreMark(RemoteCanopy db, Index<String, String> index, RestoreWork work) {
    this.db = db;
    this.index = index;
    this.work = work;
  }

  /** The mark of a restore that has begun; null: there is none. */
  static @Nullable RestoreMark find(RemoteCanopy db) {
    if (!Patience.call(db::indexes).contains(INDEX)) {
      return null;
    }
    Index<String, String> index = open(db);
    String[] work =
        Patience.call(
            () -> db.<String[], RuntimeException>read(tx -> new String[] {tx.on(index).get(WORK)}));
    return work[0] == null ? null : new RestoreMark(db, index, parse(work[0]));
  }

  /**
   * Marks the grid.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where another restore has
   */
  static RestoreMark begin(RemoteCanopy db, RestoreWork work) {
    Index<String, String> index = open(db);
    try {
      db.run(tx -> tx.on(index).insert(WORK, text(work)));
    } catch (CanopyException e) {
      throw e.code() == ErrorCode.KEY_EXISTS
          ? new CanopyException(ErrorCode.INVALID_ARGUMENT, HINT, e)
          : e;
    }
    return new RestoreMark(db, index, work);
  }

  private static Index<String, String> open(RemoteCanopy db) {
    return Patience.call(() -> db.index(INDEX, Codec.string(), Codec.string()));
  }

  private static String text(RestoreWork work) {
    try {
      return JSON.writeValueAsString(work);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RestoreWork parse(String text) {
    try {
      return JSON.readValue(text, RestoreWork.class);
    } catch (JsonProcessingException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "index '" + INDEX + "' has not what a restore puts there", e);
    }
  }

  RestoreWork work() {
    return work;
  }

  /** The files whose entries are all there. */
  Set<String> done() {
    return Patience.call(() ->
        db.<Set<String>, RuntimeException>read(tx -> {
          Set<String> files = new HashSet<>();
          ReadView<String, String> view = tx.on(index);
          view.scan(Range.prefix(DONE))
              .forEach(entry -> files.add(entry.getKey().substring(DONE.length())));
          return files;
        }));
  }

  /** The entries of a file are all there. */
  void done(String file) {
    Patience.call(() -> {
      db.run(tx -> tx.on(index).put(DONE + file, ""));
      return true;
    });
  }

  /** Goes on to a step, in a caller's transaction. */
  void goTo(RestoreWork.Step step, Transaction tx) {
    tx.on(index).put(WORK, text(work.at(step)));
  }

  /** Goes on to a step. */
  void goTo(RestoreWork.Step step) {
    Patience.call(() -> {
      db.run(tx -> goTo(step, tx));
      return true;
    });
  }

  /** Takes the mark away. */
  void remove() {
    Patience.call(() -> db.dropIndex(INDEX));
  }
}
