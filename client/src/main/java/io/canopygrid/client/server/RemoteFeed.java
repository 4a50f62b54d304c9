package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.client.netty.Connection;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineFeed;
import io.canopygrid.engine.FeedCommit;
import io.canopygrid.engine.FeedCommitBytes;
import io.canopygrid.engine.FeedStart;
import io.canopygrid.wire.MalformedBytesException;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.WireLimits;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A feed of servers. One of them keeps it between the questions. Each question names what was told,
 * so any other one can go on with it.
 */
public final class RemoteFeed implements EngineFeed {
  private static final int PART_BYTES_MAX = WireLimits.PAGE_BYTES_MAX;

  private final ClusterView cluster;
  private final GridId grid;
  private final int index;
  private final KeyRange range;
  private VectorClock told = VectorClock.ZERO;

  /** The server that keeps the feed, and the feed's id there; 0: none. */
  private String server = "";

  private long feed;

  private RemoteFeed(ClusterView cluster, GridId grid, int index, KeyRange range) {
    this.cluster = cluster;
    this.grid = grid;
    this.index = index;
    this.range = range;
  }

  /**
   * Opens a feed at any server.
   *
   * @throws CanopyException {@link ErrorCode#PROTOCOL_ERROR} where the server is of a release
   *     without feeds, and as the server says
   */
  public static RemoteFeed open(ClusterView cluster, RemoteIndex index, FeedStart start) {
    GridId in = cluster.grid().present().id();
    cluster.indexes().require(index, in);
    RemoteFeed opened = new RemoteFeed(cluster, in, index.number(in), start.range());
    start.requireOf(opened.index);
    CausalToken after = start.after();
    Request.Told told =
        after == null ? null : new Request.Told(after.grid().orElse(null), after.clock());
    String snapshot = after == null ? start.snapshot() : "";
    opened.told = opened.ask(told, snapshot, 0, 0).clock();
    return opened;
  }

  @Override
  public List<FeedCommit> poll() {
    cluster.grid().tell();
    Request.Told after = new Request.Told(grid, told);
    List<ByteArrayOutputStream> commits = new ArrayList<>();
    int parts = 0;
    while (true) {
      Reply.FeedChanges part = ask(after, "", parts, PART_BYTES_MAX);
      if (part.first()) {
        commits.clear(); // another server, for one, has begun anew
        parts = 0;
      } else if (parts == 0) {
        throw notAPart(null);
      }
      add(part, commits);
      parts++;
      if (!part.more()) {
        List<FeedCommit> whole = decoded(commits);
        told = part.clock();
        return whole;
      }
    }
  }

  private Reply.FeedChanges ask(
      Request.@Nullable Told after, String snapshot, int parts, int bytesMax) {
    Request request = new Request.ReadChanges(feed, index, range, snapshot, after, parts, bytesMax);
    try {
      Questions.Answered<Reply.FeedChanges> answered =
          cluster
              .questions()
              .askFirst(server, WireLimits.FEATURE_FEEDS, grid, request, Reply.FeedChanges.class);
      server = answered.server();
      feed = answered.reply().feed();
      return answered.reply();
    } catch (CanopyException e) {
      cluster.indexes().heard(e, grid);
      throw e;
    }
  }

  private static void add(Reply.FeedChanges part, List<ByteArrayOutputStream> commits) {
    boolean continued = part.continued();
    for (byte[] piece : part.pieces()) {
      if (!continued) {
        commits.add(new ByteArrayOutputStream(piece.length));
      } else if (commits.isEmpty()) {
        throw notAPart(null);
      }
      continued = false;
      commits.get(commits.size() - 1).writeBytes(piece);
    }
  }

  private static List<FeedCommit> decoded(List<ByteArrayOutputStream> commits) {
    try {
      return commits.stream().map(bytes -> FeedCommitBytes.decode(bytes.toByteArray())).toList();
    } catch (MalformedBytesException e) {
      throw notAPart(e);
    }
  }

  private static CanopyException notAPart(@Nullable MalformedBytesException e) {
    return new CanopyException(
        ErrorCode.PROTOCOL_ERROR, "the server answered with changes that cannot be read", e);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public CausalToken position() {
    return CausalToken.of(grid, told);
  }

  /** Tells the server, if the connection is there; else the server finds out by itself. */
  @Override
  public void close() {
    Connection connection = cluster.servers().openTo(server);
    if (connection != null && feed != 0) {
      connection.sayLater(new Request.CloseFeed(feed));
      feed = 0;
    }
  }
}
