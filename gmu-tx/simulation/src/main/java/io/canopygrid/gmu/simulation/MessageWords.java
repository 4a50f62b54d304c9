package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A message in words, for the trace of a run. */
final class MessageWords {
  /** Before what goes on all the time and says nothing of a run. */
  private static final String HOUSEKEEPING = "housekeeping: ";

  /** The number of bits of a sequence number that count within an epoch. */
  private static final int EPOCH_BITS = 40;

  private MessageWords() {}

  static String of(long from, long to, Message message) {
    return "n" + from + " to n" + to + ": " + words(message);
  }

  private static String words(Message m) {
    if (m instanceof Message.Read read) {
      return String.format(
          Locale.ROOT,
          "read %s, snapshot %s, has read shards %s",
          query(read.query()),
          clock(read.clock()),
          read.hasRead());
    } else if (m instanceof Message.ReadReply reply) {
      return String.format(
          Locale.ROOT,
          "answer to read %d of shard %d: %s, snapshot %s",
          reply.request(),
          reply.shard(),
          reply.answer().getClass().getSimpleName().toLowerCase(Locale.ROOT),
          clock(reply.clock()));
    } else if (m instanceof Message.Prepare prepare) {
      return String.format(
          Locale.ROOT,
          "prepare %s at shard %d of %s: %s",
          prepare.record().tid(),
          prepare.record().shard(),
          prepare.record().participants(),
          footprint(prepare.record().footprint()));
    } else if (m instanceof Message.Vote vote) {
      return words(vote);
    } else if (m instanceof Message.Decide decide) {
      return words(decide);
    } else if (m instanceof Message.Ack ack) {
      return String.format(
          Locale.ROOT,
          "%s is %s here, shard %d",
          ack.tid(),
          ack.applied() ? "applied" : "known",
          ack.shard());
    } else if (m instanceof Message.Flush flush) {
      return String.format(
          Locale.ROOT,
          "flush into topology %d: %d decisions",
          flush.topology(),
          flush.decisions().size());
    } else if (m instanceof Message.TurnEnded ended) {
      return String.format(
          Locale.ROOT, "turn of read %d at %s is over", ended.request(), key(ended.key()));
    } else if (m instanceof Message.State state) {
      return String.format(
          Locale.ROOT, "state of shard %d, chunk %d", state.shard(), state.chunk());
    }
    boolean housekeeping =
        m instanceof Message.LowWaterMark
            || m instanceof Message.HorizonReport
            || m instanceof Message.Horizon;
    return (housekeeping ? HOUSEKEEPING : "") + m;
  }

  private static String words(Message.Vote vote) {
    return vote.refusal() == null
        ? String.format(
            Locale.ROOT,
            "yes to %s at shard %d, clock %s",
            vote.tid(),
            vote.shard(),
            clock(vote.clock()))
        : String.format(
            Locale.ROOT,
            "no to %s at shard %d: %s %s",
            vote.tid(),
            vote.shard(),
            vote.refusal().reason(),
            vote.refusal().key() == null ? "" : vote.refusal().key());
  }

  private static String words(Message.Decide decide) {
    return decide.decision().clock() == null
        ? String.format(
            Locale.ROOT, "%s is aborted, shard %d", decide.decision().tid(), decide.shard())
        : String.format(
            Locale.ROOT,
            "%s is committed at %s, shard %d",
            decide.decision().tid(),
            clock(decide.decision().clock()),
            decide.shard());
  }

  /** Each number as the epoch in which it was proposed, and the counter in that. */
  private static String clock(@Nullable VectorClock clock) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; clock != null && i < clock.size(); i++) {
      long number = clock.numberAt(i);
      text.append(i == 0 ? "" : ", ")
          .append(clock.shardAt(i))
          .append(':')
          .append(number >>> EPOCH_BITS)
          .append('.')
          .append(number & ((1L << EPOCH_BITS) - 1));
    }
    return text.append('}').toString();
  }

  private static String query(ReadQuery query) {
    if (query instanceof ReadQuery.Get get) {
      return key(get.key()) + (get.turn() == ReadQuery.Turn.OWN ? " in turn" : "");
    }
    return query instanceof ReadQuery.Scan scan
        ? "a range of subtree " + scan.kcl() + (scan.reverse() ? " in reverse" : "")
        : query.toString();
  }

  private static String footprint(Footprint footprint) {
    StringBuilder text = new StringBuilder();
    footprint
        .reads()
        .forEach(read ->
            text.append(" read ")
                .append(key(read.key()))
                .append(" of ")
                .append(read.seen().writer()));
    footprint
        .ranges()
        .forEach(range ->
            text.append(" scanned ")
                .append(range.kcl())
                .append(" found ")
                .append(range.found().size()));
    footprint
        .writes()
        .forEach(write ->
            text.append(write.value() == null ? " remove " : " put ").append(key(write.key())));
    return text.length() == 0 ? "nothing" : text.substring(1);
  }

  private static String key(CompositeKey key) {
    return key.isHeader() ? "the header of " + key.kcl() : key.toString();
  }
}
