package io.canopygrid.roundtrip;

import io.canopygrid.Index;
import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.wire.MessageCodec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Questions of one grid's node to the other about keys that only the other has. */
final class GridAskers {
  private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  /** A question's number among very many, whose bytes there are no more of. */
  private static final long LARGE_NUMBER = 1_000_000;

  private final GridNode grid;
  private final Index<Long, byte[]> index;
  private final List<GridNode.Place> places;
  private final SplittableRandom random = new SplittableRandom(1);

  /**
   * Creates askers on a loaded index.
   *
   * @throws IllegalStateException where all its keys are at this node
   */
  GridAskers(GridNode grid, int keys) {
    this.grid = grid;
    this.index = grid.load(keys);
    this.places = grid.elsewhere(index, keys);
    if (places.isEmpty()) {
      throw new IllegalStateException("none of " + keys + " keys is at the other node");
    }
  }

  private GridNode.Place any() {
    return places.get(random.nextInt(places.size()));
  }

  /** A look-up's question and answer as the nodes encode them. */
  MessageSizes sizes() throws TimeoutException {
    GridNode.Place place = any();
    ReadQuery query = new ReadQuery.Get(place.composite());
    int shard = grid.node().shardMap().shardOf(query.kcl());
    long topology = grid.node().topology().id();
    GmuTransaction transaction = begin();
    try {
      VectorClock before = transaction.clock();
      ReadAnswer answer = transaction.read(query);
      VectorClock after = transaction.clock();
      VectorClock part = before.on(ShardSet.EMPTY, shard);
      VectorClock news = after.beyond(before);
      Message asked =
          new Message.Read(topology, LARGE_NUMBER, shard, query, part, ShardSet.EMPTY, false);
      Message answered = new Message.ReadReply(LARGE_NUMBER, shard, news, answer, false);
      return new MessageSizes(
          MessageCodec.encode(asked).remaining(), MessageCodec.encode(answered).remaining());
    } finally {
      transaction.end();
    }
  }

  private GmuTransaction begin() {
    return grid.node().begin(VectorClock.ZERO, System.nanoTime() + WAIT_NANOS_MAX);
  }

  /** {@link NetworkLayer#CALL}. */
  Asker call(MessageSizes sizes) {
    byte[] question = sizes.newQuestion();
    NodeId other = grid.other();
    return () ->
        sizes.check(grid.calls().ask(other, question).get(WAIT_NANOS_MAX, TimeUnit.NANOSECONDS));
  }

  /** {@link NetworkLayer#READ}. */
  void read() throws TimeoutException {
    GmuTransaction transaction = begin();
    try {
      ReadAnswer answer = transaction.read(new ReadQuery.Get(any().composite()));
      check(answer instanceof ReadAnswer.Got got && isValue(got.value()));
    } finally {
      transaction.end();
    }
  }

  /** {@link NetworkLayer#LOOKUP}. */
  void lookUp() {
    long key = any().key();
    check(grid.member().canopy().read(tx -> isValue(tx.on(index).get(key))));
  }

  private static boolean isValue(byte @Nullable [] value) {
    return value != null && value.length == GridNode.VALUE_BYTES;
  }

  private static void check(boolean found) {
    if (!found) {
      throw new IllegalStateException("no entry, or a wrong one");
    }
  }
}
