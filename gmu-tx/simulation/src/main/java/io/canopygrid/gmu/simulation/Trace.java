package io.canopygrid.gmu.simulation;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A hash over all that happened, in order: two runs that differ anywhere differ here. */
final class Trace {
  /** Where an object has no text of its own: it differs from run to run. */
  private static final Pattern ADDRESS = Pattern.compile("([\\w.$\\[]+)@[0-9a-f]+");

  private final boolean kept;
  private final List<String> lines = new ArrayList<>();
  private long hash = 1;

  /**
   * @param kept whether each event is kept as a line, too
   */
  Trace(boolean kept) {
    this.kept = kept;
  }

  List<String> lines() {
    return lines;
  }

  long hash() {
    return hash;
  }

  void fold(long value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 29;
  }

  void event(long time, String what, long node, long detail) {
    fold(time);
    fold(what.hashCode());
    fold(node);
    fold(detail);
    if (kept) {
      lines.add(time + " " + what + " at " + node + " (" + detail + ")");
    }
  }

  /** Notes a thing that somebody made; the thing is told in its own words where lines are kept. */
  void made(long time, long id, Object what) {
    fold(time);
    fold(id);
    if (kept) {
      lines.add(time + " made " + what);
    }
  }

  void note(long time, String what) {
    fold(time);
    fold(what.hashCode());
    if (kept) {
      lines.add(time + " " + what);
    }
  }

  void delivered(long time, long from, long to, Message message) {
    fold(time);
    fold(from);
    fold(to);
    fold(message.getClass().getSimpleName().hashCode());
    fold(digest(message));
    if (kept) {
      String words = MessageWords.of(from, to, message);
      lines.add(time + " " + ADDRESS.matcher(words).replaceAll("$1"));
    }
  }

  /**
   * A hash of the fields that identify a message. Byte arrays have no hash of their content and are
   * left out.
   */
  private static long digest(Message m) {
    if (m instanceof Message.Read read) {
      return mix(read.topology(), read.request(), hash(read.clock()));
    } else if (m instanceof Message.ReadReply reply) {
      String kind = reply.answer().getClass().getSimpleName();
      return mix(reply.request(), hash(reply.clock()), kind.hashCode());
    } else if (m instanceof Message.Prepare prepare) {
      return mix(prepare.topology(), hash(prepare.record().tid()), prepare.record().shard());
    } else if (m instanceof Message.Vote vote) {
      VectorClock clock = vote.clock();
      return mix(hash(vote.tid()), vote.shard(), clock == null ? 0 : hash(clock))
          + (vote.refusal() == null ? 0 : 1);
    } else if (m instanceof Message.Decide decide) {
      VectorClock clock = decide.decision().clock();
      return mix(hash(decide.decision().tid()), decide.shard(), clock == null ? 0 : hash(clock));
    } else if (m instanceof Message.Ack ack) {
      return mix(hash(ack.tid()), ack.shard(), ack.applied() ? 1 : 0);
    } else if (m instanceof Message.Flush flush) {
      return mix(flush.topology(), flush.decisions().size(), hash(flush.horizon()));
    } else if (m instanceof Message.State state) {
      return mix(state.topology(), state.shard(), state.chunk());
    } else if (m instanceof Message.LowWaterMark mark) {
      return mark.below();
    } else if (m instanceof Message.HorizonReport report) {
      return hash(report.clock());
    } else if (m instanceof Message.Horizon horizon) {
      return hash(horizon.clock());
    } else if (m instanceof Message.TurnEnded ended) {
      return mix(ended.topology(), ended.shard(), ended.request());
    } else if (m instanceof Message.InTopology bound) {
      return bound.topology();
    }
    return 0;
  }

  private static long hash(TxId tid) {
    return tid.coordinator().value() << 40 ^ tid.counter();
  }

  private static long hash(VectorClock clock) {
    return clock.hashCode();
  }

  private static long mix(long a, long b, long c) {
    return (a * 31 + b) * 0x9E3779B97F4A7C15L + c;
  }
}
