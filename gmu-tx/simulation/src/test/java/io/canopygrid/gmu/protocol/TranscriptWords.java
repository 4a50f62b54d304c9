package io.canopygrid.gmu.protocol;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Outcome;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Messages, clocks and outcomes in the words of a {@link Transcript}. */
final class TranscriptWords {
  private final Grid grid;
  private final Function<TxId, String> names;

  /**
   * @param names what a transaction is called: its name in the transcript
   */
  TranscriptWords(Grid grid, Function<TxId, String> names) {
    this.grid = grid;
    this.names = names;
  }

  /** A message that was sent: who sends it to whom, and what it says. */
  String sent(Grid.InFlight message) {
    return "n%d -> n%d: %s"
        .formatted(message.from() + 1, message.to() + 1, words(message.message()));
  }

  /** The kind of a message, as commands name it: {@code prepare}, {@code read-reply}. */
  static String kind(Message message) {
    return message
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }

  private String words(Message message) {
    String kind = kind(message);
    if (message instanceof Message.Read read) {
      return "%s %s at clock %s%s, has read %s"
          .formatted(
              kind,
              query(read.query()),
              clock(read.clock()),
              read.whole() ? "" : " alone",
              read.hasRead());
    } else if (message instanceof Message.ReadReply reply) {
      return "%s %s, clock %s".formatted(kind, answer(reply.answer()), clock(reply.clock()));
    } else if (message instanceof Message.Prepare prepare) {
      return "%s %s%s".formatted(kind, record(prepare.record()), phases(prepare.record()));
    } else if (message instanceof Message.Vote vote) {
      return "%s %s for %s at %s".formatted(kind, ballot(vote), name(vote.tid()), s(vote.shard()));
    } else if (message instanceof Message.Decide decide) {
      return "%s %s at %s%s%s"
          .formatted(
              kind,
              decision(decide.decision()),
              s(decide.shard()),
              decide.record() == null ? "" : ", with its record",
              decide.stable() ? "" : ", not to be seen yet");
    } else if (message instanceof Message.Ack ack) {
      return "%s %s is %s at %s"
          .formatted(kind, name(ack.tid()), ack.applied() ? "applied" : "known", s(ack.shard()));
    } else if (message instanceof Message.Flush flush) {
      return "%s into topology %d: %s"
          .formatted(
              kind,
              flush.topology(),
              list(flush.decisions().stream().map(this::decision).toList(), "no decisions"));
    } else if (message instanceof Message.FlushDone done) {
      return "%s in topology %d".formatted(kind, done.topology());
    } else if (message instanceof Message.StateRequest request) {
      return "%s of %s".formatted(kind, s(request.shard()));
    } else if (message instanceof Message.State state) {
      return "%s of %s, chunk %d%s: %s, applied %s"
          .formatted(
              kind,
              s(state.shard()),
              state.chunk(),
              state.last() ? " (last)" : "",
              list(state.chains().stream().map(chain -> key(chain.key())).toList(), "no keys"),
              number(state.applied()));
    } else if (message instanceof Message.NumbersAsked asked) {
      return "%s in topology %d: %s".formatted(kind, asked.topology(), clock(asked.clock()));
    } else if (message instanceof Message.NumbersTold told) {
      return "%s %s".formatted(kind, clock(told.given()));
    } else if (message instanceof Message.TurnEnded ended) {
      return "%s at %s".formatted(kind, key(ended.key()));
    } else if (message instanceof Message.LowWaterMark mark) {
      return "%s below %d".formatted(kind, mark.below());
    } else if (message instanceof Message.Watermarks marks) {
      return kind
          + " "
          + marks.shards().stream()
              .map(mark -> s(mark.shard()) + " " + number(mark.number()))
              .collect(Collectors.joining(", "));
    } else if (message instanceof Message.HorizonReport report) {
      return "%s %s, floor %s".formatted(kind, clock(report.clock()), clock(report.floor()));
    } else if (message instanceof Message.Horizon horizon) {
      return "%s %s, floor %s".formatted(kind, clock(horizon.clock()), clock(horizon.floor()));
    }
    throw new AssertionError("a transcript has no words for " + message);
  }

  private String ballot(Message.Vote vote) {
    if (vote.refusal() != null) {
      return "no (" + refusal(vote.refusal()) + ")";
    }
    return vote.clock() == null ? "stored" : "yes " + clock(vote.clock());
  }

  private String refusal(Message.Refusal refusal) {
    String what = words(refusal.reason());
    return refusal.key() == null ? what : what + " at " + key(refusal.key());
  }

  private String phases(Message.TxRecord record) {
    return record.onePhase() ? ", the primary decides" : "";
  }

  private String record(Message.TxRecord record) {
    return "%s at %s: %s"
        .formatted(name(record.tid()), s(record.shard()), part(record.footprint()));
  }

  private String part(Footprint footprint) {
    List<String> parts = new ArrayList<>();
    footprint.reads().forEach(read -> parts.add("read " + key(read.key())));
    footprint
        .ranges()
        .forEach(range ->
            parts.add("scanned %s, %d found".formatted(kcl(range.kcl()), range.found().size())));
    footprint
        .writes()
        .forEach(write ->
            parts.add(
                write.value() == null
                    ? "remove " + key(write.key())
                    : "put %s=%s".formatted(key(write.key()), Grid.text(write.value()))));
    return list(parts, "nothing");
  }

  private String decision(Message.Decision decision) {
    return decision.clock() == null
        ? "abort " + name(decision.tid())
        : "commit %s at %s".formatted(name(decision.tid()), clock(decision.clock()));
  }

  /** The words for the outcome of a commit. */
  String outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Committed committed) {
      return "committed at " + clock(committed.clock());
    } else if (outcome instanceof Outcome.Aborted aborted) {
      return "aborted, "
          + words(aborted.reason())
          + (aborted.key() == null ? "" : " at " + key(aborted.key()));
    }
    return "unknown";
  }

  private static String words(Outcome.AbortReason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private String query(ReadQuery query) {
    if (query instanceof ReadQuery.Get get) {
      return key(get.key()) + (get.turn() == ReadQuery.Turn.OWN ? " in turn" : "");
    }
    return "a range of " + kcl(query.kcl());
  }

  /** The words for the answer to a read. */
  String answer(ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got got) {
      return got.value() == null ? "nothing" : "value " + Grid.text(got.value());
    } else if (answer instanceof ReadAnswer.Scanned scanned) {
      return list(
          scanned.entries().stream()
              .filter(entry -> entry.value() != null)
              .map(entry -> Grid.text(entry.ku()) + "=" + Grid.text(entry.value()))
              .toList(),
          "no entries");
    } else if (answer instanceof ReadAnswer.TooOld) {
      return "the snapshot is below the horizon";
    } else if (answer instanceof ReadAnswer.Unavailable unavailable) {
      return s(unavailable.shard()) + " is unavailable";
    }
    throw new AssertionError("a transcript has no words for " + answer);
  }

  /** Each component as shard:epoch.counter, those that are 0 left out. */
  static String clock(VectorClock clock) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < clock.size(); i++) {
      parts.add(s(clock.shardAt(i)) + ":" + number(clock.numberAt(i)));
    }
    return "{" + String.join(" ", parts) + "}";
  }

  /** A sequence number as epoch.counter. */
  static String number(long number) {
    return (number >>> ProtocolConfig.COUNTER_BITS)
        + "."
        + (number & ((1L << ProtocolConfig.COUNTER_BITS) - 1));
  }

  private String name(TxId tid) {
    return names.apply(tid);
  }

  private String key(CompositeKey key) {
    return kcl(key.kcl()) + "/" + (key.isHeader() ? "header" : Grid.text(key.ku()));
  }

  private String kcl(long kcl) {
    return s(grid.map.shardOf(kcl));
  }

  private static String s(int shard) {
    return "s" + shard;
  }

  private static String list(List<String> parts, String otherwise) {
    return parts.isEmpty() ? otherwise : String.join(", ", parts);
  }
}
