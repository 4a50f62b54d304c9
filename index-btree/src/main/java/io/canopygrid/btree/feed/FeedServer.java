package io.canopygrid.btree.feed;

import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.ChangeQuery;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.NodeCalls;
import io.canopygrid.gmu.spi.NodeThreads;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells this node and others the changes in the shards of which it is the primary. Thread-safe. */
final class FeedServer implements NodeCalls.Server, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FeedServer.class);
  private static final int THREADS_MAX = 2;
  private static final int WAITING_MAX = 1_000;

  private final GmuNode node;
  private final FeedLimits limits;
  private final NodeThreads.Pool threads;

  /** A server of a node. */
  FeedServer(GmuNode node, FeedLimits limits) {
    this.node = node;
    this.limits = limits;
    this.threads = node.threads().pool("canopy-feeds", THREADS_MAX, WAITING_MAX);
  }

  @Override
  public void asked(byte[] question, Consumer<byte[]> answer) {
    if (!threads.submit(() -> answer(question, answer))) {
      LOG.debug("a question about changes has no answer: too many wait");
    }
  }

  private void answer(byte[] question, Consumer<byte[]> answer) {
    try {
      answer.accept(new FeedAnswer(answers(FeedQuestion.decode(question))).encode());
    } catch (RuntimeException e) {
      LOG.debug("a question about changes has no answer", e);
    }
  }

  /** The answers of the shards that are asked for. */
  Map<Integer, ChangeAnswer> answers(FeedQuestion question) {
    IndexFilter filter = new IndexFilter(question.index(), question.range());
    Map<Integer, ChangeAnswer> answers = new LinkedHashMap<>();
    question
        .above()
        .forEach((shard, above) -> {
          ChangeQuery query =
              new ChangeQuery(
                  shard,
                  question.from(),
                  question.upTo(),
                  above,
                  limits.commitsMax(),
                  limits.bytesMax(),
                  limits.lookedMax());
          answers.put(shard, node.changes(query, filter));
        });
    return answers;
  }

  @Override
  public void close() {
    threads.close();
  }
}
