package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.names.TableNames;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The indexes that this handle has opened. Thread-safe. */
public final class RemoteIndexes {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private final CurrentGrid grid;
  private final Questions questions;
  private final Routing routing;
  private final DroppedNumbers drops = new DroppedNumbers();
  private final Map<Known, RemoteIndex> known = new ConcurrentHashMap<>();

  /** An index as programs know it: of one name, but with other codecs, it is another one. */
  private record Known(String name, String keyCodec, String valueCodec) {}

  RemoteIndexes(CurrentGrid grid, Questions questions, Routing routing) {
    this.grid = grid;
    this.questions = questions;
    this.routing = routing;
    grid.onChange(next -> drops.clear());
  }

  /**
   * The index that a request opens: the same object each time, if it has the same codecs, and was
   * not dropped and created again.
   */
  public RemoteIndex open(Request.OpenIndex request) {
    GridId in = grid.present().id();
    Reply.IndexOpened opened = questions.ask(in, request, Reply.IndexOpened.class);
    RemoteIndex.Place place = new RemoteIndex.Place(in, opened);
    Known key = new Known(opened.name(), opened.keyCodec(), opened.valueCodec());
    RemoteIndex index =
        known.compute(
            key,
            (any, before) ->
                before != null && before.isSameAs(place)
                    ? before
                    : new RemoteIndex(grid, drops, place));
    index.isAt(place);
    learnRoutes(place, in);
    return index;
  }

  private void learnRoutes(RemoteIndex.Place place, GridId in) {
    Request routes = new Request.AskRoutes(place.number(), 0);
    try {
      routing.learn(place, questions.ask(in, routes, Reply.Routes.class));
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
      drops.add(in, place.number()); // since it was looked up
    }
  }

  /** Whether an index has its name still: others may have dropped it, which no server tells. */
  public boolean isStill(RemoteIndex index) {
    RemoteIndex.Place place = index.place();
    GridId in = grid.present().id();
    if (!place.isIn(in) || !index.isCurrent()) {
      return false; // a number says nothing in another grid
    }
    try {
      Request request = new Request.OpenIndex(index.name(), "", "", false, 0);
      if (questions.ask(in, request, Reply.IndexOpened.class).index() == place.number()) {
        return true;
      }
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
    }
    drops.add(in, place.number());
    return false;
  }

  /**
   * An error of a server, which may say that the index of a number was dropped: also where the
   * caller's transaction can run again without it.
   *
   * @param in the grid in which the server was asked, which may be the former one by now
   */
  public void heard(CanopyException e, @Nullable GridId in) {
    if (e.code() == ErrorCode.COMMITS_LOST) {
      drops.clear(); // a power cut may have taken drops, too
    }
    String number = e.facts().get("number");
    if ((e.code() == ErrorCode.UNKNOWN_INDEX || e.code() == ErrorCode.WRITE_CONFLICT)
        && in != null
        && number != null
        && NUMBER.matcher(number).matches()) {
      drops.add(in, Integer.parseInt(number));
    }
  }

  /**
   * The index of a name and codecs, which is not created; or the last one that had the name and was
   * dropped, as long as a snapshot in use may have it.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  public RemoteIndex find(Request.OpenIndex request) {
    try {
      return open(request);
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
      return findDropped(request.name(), e);
    }
  }

  private RemoteIndex findDropped(String name, CanopyException unknown) {
    GridId in = grid.present().id();
    Reply.IndexOpened found;
    try {
      Request request = new Request.FindDropped(name);
      found =
          questions.askWith(
              WireLimits.FEATURE_DROPS, in, request, Reply.IndexOpened.class, () -> {});
    } catch (CanopyException e) {
      throw e.code() == ErrorCode.PROTOCOL_ERROR ? unknown : e;
    }
    RemoteIndex.Place place = new RemoteIndex.Place(in, found);
    drops.add(in, found.index());
    return new RemoteIndex(grid, drops, place);
  }

  /**
   * Drops an index or a table.
   *
   * @param upTo its number now, see {@link Request.Drop}
   * @return whether it was there still
   * @throws CanopyException with state UNKNOWN where no server has told what became of it
   */
  private boolean drop(GridId in, Request.Dropped what, String name, int upTo) {
    AtomicBoolean lost = new AtomicBoolean();
    Reply.Count count;
    try {
      Request request = new Request.Drop(what, name, upTo);
      count =
          questions.askWith(
              WireLimits.FEATURE_DROPS, in, request, Reply.Count.class, () -> lost.set(true));
    } catch (CanopyException e) {
      boolean unanswered = e.code() == ErrorCode.TIMEOUT || e.code() == ErrorCode.INTERRUPTED;
      throw lost.get() || unanswered
          ? new CanopyException(e.code(), e.detail(), CommitState.UNKNOWN, null, e)
          : e;
    }
    for (RemoteIndex index : known.values()) {
      boolean named =
          what == Request.Dropped.TABLE
              ? name.equals(TableNames.tableOf(index.name()))
              : name.equals(index.name());
      if (named && index.place().isIn(in) && index.place().number() <= upTo) {
        drops.add(in, index.place().number());
      }
    }
    if (what != Request.Dropped.TABLE) {
      drops.add(in, upTo); // also where another thread has just looked it up
    }
    // A request whose answer was lost may have done it.
    return count.count() > 0 || lost.get();
  }

  /**
   * Checks whether servers can drop.
   *
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where they are of an older release
   */
  public void checkDrops() {
    questions.check(WireLimits.FEATURE_DROPS, grid.present().id());
  }

  /** Drops the index of a name; whether there was one. */
  public boolean dropIndex(String name) {
    GridId in = grid.present().id();
    int number;
    try {
      Request request = new Request.OpenIndex(name, "", "", false, 0);
      number = questions.ask(in, request, Reply.IndexOpened.class).index();
    } catch (CanopyException e) {
      if (e.code() == ErrorCode.UNKNOWN_INDEX) {
        return false;
      }
      throw e;
    }
    return drop(in, Request.Dropped.INDEX, name, number);
  }

  /** Drops the entries of a table's secondary index; whether they were there still. */
  public boolean dropEntries(RemoteIndex index) {
    RemoteIndex.Place place = index.place();
    GridId in = grid.present().id();
    boolean dropped =
        place.isIn(in) && drop(in, Request.Dropped.ENTRIES, index.name(), place.number());
    return dropped;
  }

  /** Drops a table; whether there was one. */
  public boolean dropTable(String name) {
    GridId in = grid.present().id();
    int newest = 0;
    boolean found = false;
    for (Reply.IndexOpened index :
        questions.ask(in, new Request.ListIndexes(), Reply.Indexes.class).indexes()) {
      newest = Math.max(newest, index.index());
      found |= name.equals(TableNames.tableOf(index.name()));
    }
    return found && drop(in, Request.Dropped.TABLE, name, newest);
  }

  /**
   * Makes sure that an index is known in the grid of the caller's transaction. In another grid than
   * before it is looked up by its name, and must have the codecs that it was opened with.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}, {@link ErrorCode#CODEC_MISMATCH},
   *     {@link ErrorCode#GRID_CHANGED}
   */
  public void require(RemoteIndex index, @Nullable GridId in) {
    if (in == null || index.place().isIn(in)) {
      return;
    }
    grid.check(in);
    try {
      open(new Request.OpenIndex(index.name(), index.keyCodec(), index.valueCodec(), false, 0));
    } catch (CanopyException e) {
      if (e.code() != ErrorCode.UNKNOWN_INDEX) {
        throw e;
      }
      throw new CanopyException(
          ErrorCode.UNKNOWN_INDEX,
          String.format(
              Locale.ROOT,
              "index '%s' was opened in a former grid, and is not in %s: open it anew to create it",
              index.name(),
              grid.present()),
          e);
    }
  }
}
