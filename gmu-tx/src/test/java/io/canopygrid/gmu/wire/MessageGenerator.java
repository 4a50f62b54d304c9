package io.canopygrid.gmu.wire;

import io.canopygrid.clock.ShardSet;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.DiskTrouble;
import io.canopygrid.gmu.message.DiskTrouble.Kind;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random messages of every type; the same seed gives the same ones. */
final class MessageGenerator {
  static final int TYPES = 20;

  private final Random random;
  private VectorClock lastClock = VectorClock.ZERO;

  MessageGenerator(long seed) {
    random = new Random(seed);
  }

  /** A message of one type, 0 &lt;= type &lt; TYPES. */
  Message message(int type) {
    return switch (type) {
      case 0 -> new Message.Read(number(), number(), shard(), query(), clock(), shards(), true);
      case 1 -> new Message.ReadReply(number(), shard(), clock(), answer(), random.nextBoolean());
      case 2 -> new Message.Prepare(number(), record());
      case 3 ->
          new Message.Vote(
              tid(), shard(), number(), maybe(this::clock), maybe(this::refusal), number());
      case 4 ->
          new Message.Decide(
              number(), shard(), maybe(this::record), decision(), random.nextBoolean(), number());
      case 5 -> new Message.Ack(tid(), shard(), number(), random.nextBoolean());
      case 6 -> new Message.Flush(number(), list(this::decision), clock(), list(this::cut));
      case 7 -> new Message.FlushDone(number());
      case 8 ->
          new Message.StateRequest(
              number(), shard(), number(), new Message.UpTo(number(), number()));
      case 9 -> state();
      case 10 -> new Message.LowWaterMark(number(), number(), maybe(this::trouble));
      case 11 -> new Message.HorizonReport(number(), clock(), clock());
      case 12 -> new Message.Horizon(clock(), clock());
      case 13 ->
          new Message.Watermarks(number(), list(() -> new Message.Watermark(shard(), number())));
      case 14 -> new Message.TurnEnded(number(), shard(), key(), number());
      case 15 -> new Message.NumbersAsked(number(), number(), clock());
      case 16 -> new Message.NumbersTold(number(), clock(), shards());
      case 17 -> new Message.HotServed(number(), list(() -> new Message.KeyReads(key(), number())));
      case 18 ->
          new Message.HotPush(
              number(),
              shard(),
              number(),
              random.nextBoolean(),
              number(),
              clock(),
              list(() -> new Message.KeyVersions(key(), chain())),
              list(this::key));
      case 19 -> new Message.HotAsk(number(), shard());
      default -> throw new IllegalArgumentException("type=" + type);
    };
  }

  private Message.State state() {
    return new Message.State(
        number(),
        shard(),
        number(),
        random.nextInt(100),
        random.nextBoolean(),
        list(() -> new Message.KeyVersions(key(), chain())),
        list(() -> new Message.LogEntry(number(), tid(), clock())),
        number(),
        clock(),
        list(() -> new Message.Resolved(record(), maybe(this::clock))),
        number(),
        list(this::key),
        number());
  }

  private VersionChain chain() {
    VersionChain chain = null;
    int length = 1 + random.nextInt(3);
    long sequenceNumber = 0;
    for (int i = 0; i < length; i++) {
      TxId tid = tid();
      TxId writer = random.nextBoolean() ? tid : tid();
      sequenceNumber += 1 + (number() >>> 3);
      chain = VersionChain.of(tid, writer, sequenceNumber, clock(), maybe(this::bytes), chain);
    }
    return java.util.Objects.requireNonNull(chain);
  }

  private Message.TxRecord record() {
    return new Message.TxRecord(
        tid(), shard(), list(this::shard), clock(), footprint(), random.nextBoolean(), text());
  }

  private Message.Decision decision() {
    return new Message.Decision(
        tid(), maybe(this::clock), list(this::shard), clock(), list(this::record));
  }

  private Cut cut() {
    return new Cut(number(), random.nextBoolean() ? clock() : clock().with(0, Cut.UNLIMITED));
  }

  private Message.Refusal refusal() {
    AbortReason[] reasons = AbortReason.values();
    return new Message.Refusal(
        reasons[random.nextInt(reasons.length)],
        maybe(this::key),
        maybe(this::tid),
        maybe(this::text),
        maybe(this::bytes));
  }

  private Footprint footprint() {
    return new Footprint(
        list(this::keyRead),
        list(() ->
            new Footprint.RangeRead(
                random.nextLong(), bytes(), maybe(this::bytes), list(this::keyRead))),
        list(() -> new Footprint.Write(key(), maybe(this::bytes), maybe(this::tid))));
  }

  private Footprint.KeyRead keyRead() {
    return new Footprint.KeyRead(key(), seen());
  }

  private Seen seen() {
    return switch (random.nextInt(3)) {
      case 0 -> Seen.ABSENT;
      case 1 -> new Seen(tid(), false);
      default -> new Seen(tid(), true);
    };
  }

  private ReadQuery.Turn turn() {
    return switch (random.nextInt(3)) {
      case 0 -> ReadQuery.Turn.NONE;
      case 1 -> ReadQuery.Turn.BEHIND_OTHERS;
      default -> ReadQuery.Turn.OWN;
    };
  }

  private ReadQuery query() {
    return switch (random.nextInt(5)) {
      case 0, 1 -> new ReadQuery.Get(key(), turn());
      case 2 -> new ReadQuery.Count(random.nextLong(), bytes(), maybe(this::bytes));
      default ->
          new ReadQuery.Scan(
              random.nextLong(),
              bytes(),
              maybe(this::bytes),
              random.nextBoolean(),
              1 + random.nextInt(1000),
              random.nextBoolean());
    };
  }

  private ReadAnswer answer() {
    return switch (random.nextInt(6)) {
      case 0 -> new ReadAnswer.Got(maybe(this::bytes), seen());
      case 1 ->
          new ReadAnswer.Scanned(
              maybe(this::bytes),
              list(() -> new ReadAnswer.Entry(bytes(), maybe(this::bytes), seen())),
              random.nextBoolean());
      case 2 -> new ReadAnswer.Redirected(bytes(), random.nextBoolean());
      case 3 -> new ReadAnswer.TooOld();
      case 4 -> new ReadAnswer.Counted(maybe(this::bytes), random.nextInt(1 << 20));
      default -> new ReadAnswer.Unavailable(shard());
    };
  }

  /** Often the one before, as in real messages. */
  private VectorClock clock() {
    if (random.nextInt(3) > 0) {
      VectorClock clock = VectorClock.ZERO;
      int size = random.nextInt(6);
      for (int i = 0; i < size; i++) {
        clock = clock.with(shard(), 1 + (number() >>> 1));
      }
      lastClock = clock;
    }
    return lastClock;
  }

  private ShardSet shards() {
    ShardSet shards = ShardSet.EMPTY;
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      shards = shards.with(shard());
    }
    return shards;
  }

  private TxId tid() {
    return new TxId(new NodeId(random.nextLong()), number());
  }

  private CompositeKey key() {
    return CompositeKey.of(random.nextLong(), bytes());
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(20) == 0 ? random.nextInt(5_000) : random.nextInt(12)];
    random.nextBytes(bytes);
    return bytes;
  }

  private DiskTrouble trouble() {
    return new DiskTrouble(random.nextBoolean() ? Kind.SLOW : Kind.FULL, text());
  }

  private String text() {
    return random.nextBoolean() ? "" : "Überweisung " + random.nextInt();
  }

  private int shard() {
    return random.nextInt(5) == 0 ? random.nextInt(1 << 16) : random.nextInt(257);
  }

  /** Of any number of bits, at least 0 and below 2^62. */
  private long number() {
    return random.nextLong() >>> (2 + random.nextInt(62));
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextInt(3) == 0 ? null : value.get();
  }

  private <T> List<T> list(Supplier<T> element) {
    List<T> list = new ArrayList<>();
    int size = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      list.add(element.get());
    }
    return list;
  }
}
