package io.canopygrid.btree.feed;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.ChangeAnswer;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.ClockBytes;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link FeedQuestion}.
 *
 * @param shards the answer of each shard that was asked for
 */
record FeedAnswer(Map<Integer, ChangeAnswer> shards) {
  private static final int NOT_HERE = 0;
  private static final int TOO_OLD = 1;
  private static final int TOLD = 2;
  private static final int TOLD_LAST = 3;

  private static final int HAS_VALUE = 1;
  private static final int HAS_BEFORE = 2;
  private static final int IS_BEFORE_COLD = 4;

  private static final int MANY = 1 << 24;

  byte[] encode() {
    ByteWriter out = NodeBytes.begin(1 << 10);
    out.writeVarLong(shards.size());
    shards.forEach((shard, answer) -> {
      out.writeVarLong(shard);
      write(out, answer);
    });
    return out.toBytes();
  }

  private static void write(ByteWriter out, ChangeAnswer answer) {
    if (answer instanceof ChangeAnswer.Told told) {
      out.writeByte(told.isLast() ? TOLD_LAST : TOLD).writeVarLong(told.knownUpTo());
      out.writeVarLong(told.commits().size());
      VectorClock before = null;
      for (ChangeAnswer.Commit commit : told.commits()) {
        write(out, commit, before);
        before = commit.clock();
      }
    } else {
      out.writeByte(answer instanceof ChangeAnswer.TooOld ? TOO_OLD : NOT_HERE);
    }
  }

  private static void write(
      ByteWriter out, ChangeAnswer.Commit commit, @Nullable VectorClock before) {
    out.writeLong(commit.tid().coordinator().value()).writeVarLong(commit.tid().counter());
    if (before != null && commit.clock().namesShardsOf(before)) {
      out.writeByte(1);
      ClockBytes.writeDifference(out, commit.clock(), before);
    } else {
      out.writeByte(0);
      ClockBytes.write(out, commit.clock());
    }
    out.writeVarLong(commit.changes().size());
    commit.changes().forEach(change -> write(out, change));
  }

  private static void write(ByteWriter out, ChangeAnswer.Change change) {
    byte[] value = change.value();
    byte[] before = change.before();
    out.writeBytes(change.key().bytes())
        .writeByte(
            (value == null ? 0 : HAS_VALUE)
                | (before == null ? 0 : HAS_BEFORE)
                | (change.isBeforeCold() ? IS_BEFORE_COLD : 0));
    if (value != null) {
      out.writeBytes(value);
    }
    if (before != null) {
      out.writeBytes(before);
    }
  }

  static FeedAnswer decode(byte[] bytes) {
    return NodeBytes.decode(bytes, FeedAnswer::read);
  }

  private static FeedAnswer read(ByteReader in) {
    Map<Integer, ChangeAnswer> shards = new LinkedHashMap<>();
    for (int left = in.readCount(ClockBytes.SHARDS_MAX); left > 0; left--) {
      shards.put(in.readCount(ClockBytes.SHARDS_MAX), readShard(in));
    }
    return new FeedAnswer(shards);
  }

  private static ChangeAnswer readShard(ByteReader in) {
    int kind = in.readByte();
    return switch (kind) {
      case NOT_HERE -> new ChangeAnswer.NotHere();
      case TOO_OLD -> new ChangeAnswer.TooOld();
      case TOLD, TOLD_LAST -> {
        long known = in.readVarLong();
        List<ChangeAnswer.Commit> commits = new ArrayList<>();
        VectorClock before = null;
        for (int left = in.readCount(MANY); left > 0; left--) {
          ChangeAnswer.Commit commit = readCommit(in, before);
          before = commit.clock();
          commits.add(commit);
        }
        yield new ChangeAnswer.Told(commits, known, kind == TOLD_LAST);
      }
      default -> throw new MalformedBytesException("no kind of an answer: " + kind);
    };
  }

  private static ChangeAnswer.Commit readCommit(ByteReader in, @Nullable VectorClock before) {
    NodeId coordinator = new NodeId(in.readLong());
    TxId tid = new TxId(coordinator, in.readVarLong());
    boolean isDifference = in.readByte() != 0;
    if (isDifference && before == null) {
      throw new MalformedBytesException("a clock that differs from none");
    }
    VectorClock clock =
        before != null && isDifference
            ? ClockBytes.readDifference(in, before)
            : ClockBytes.read(in);
    List<ChangeAnswer.Change> changes = new ArrayList<>();
    for (int left = in.readCount(MANY); left > 0; left--) {
      CompositeKey key = CompositeKey.ofBytes(in.readBytes());
      int flags = in.readByte();
      byte[] value = (flags & HAS_VALUE) == 0 ? null : in.readBytes();
      byte[] older = (flags & HAS_BEFORE) == 0 ? null : in.readBytes();
      changes.add(new ChangeAnswer.Change(key, value, older, (flags & IS_BEFORE_COLD) != 0));
    }
    return new ChangeAnswer.Commit(tid, clock, changes);
  }
}
