package io.canopygrid.btree.feed;

import io.canopygrid.CanopyException;
import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.catalog.Catalog;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens the feeds of one node. Thread-safe. */
public final class IndexFeeds implements AutoCloseable {
  /** The beginning of the labels of transactions that feeds keep; the name of the index follows. */
  public static final String LABEL = "canopy.feed ";

  private final FeedServer server;
  private final FeedNode node;

  /**
   * The feeds of a node, which tells others of its changes from now on.
   *
   * @param tokens a clock as a token of this grid
   */
  public IndexFeeds(
      GmuNode node,
      NodeQuestions questions,
      Catalog catalog,
      FeedLimits limits,
      Function<VectorClock, CausalToken> tokens) {
    this.server = new FeedServer(node, limits);
    this.node = new FeedNode(node, new FeedReader(node, questions, server), catalog, tokens);
    questions.serve(NodeQuestions.Kind.FEED, server);
  }

  /**
   * Opens a feed.
   *
   * @param after what is known of the index; null: the feed begins now
   * @throws CanopyException as a transaction that begins after that clock, and {@link
   *     ErrorCode#UNKNOWN_INDEX} where the index was dropped
   */
  public IndexFeed open(IndexRef index, KeyRange range, @Nullable VectorClock after) {
    node.requireCurrent(index);
    GmuTransaction hold = after == null ? node.hold(index) : node.holdAt(index, after);
    return new IndexFeed(node, index, range, hold);
  }

  @Override
  public void close() {
    server.close();
  }
}
