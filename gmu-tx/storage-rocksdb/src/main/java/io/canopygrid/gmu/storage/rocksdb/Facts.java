package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.wire.StoredCodec;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The facts that the engine has, as they were read. Confined to one thread. */
final class Facts {
  /** A copy's state, as a fact's value. */
  static final byte BEGUN = 1;

  static final byte COMPLETE = 2;

  /** 0: the engine is new. */
  long disk;

  long position;
  long promised;
  @Nullable Topology topology;
  boolean hasJoined;
  final List<Topology> over = new ArrayList<>();
  VectorClock horizon = VectorClock.ZERO;
  List<Cut> cuts = List.of();

  /** The number of the log's newest segment when the disk was closed in order; 0: it never was. */
  long closedAt;

  boolean mayLack;
  final List<NodeId> users = new ArrayList<>();
  final Map<NodeId, Long> marks = new HashMap<>();

  /** By shard the copies' states. */
  final Map<Integer, Byte> copies = new TreeMap<>();

  /** By shard the copies' watermarks. */
  final Map<Integer, UpTo> watermarks = new HashMap<>();

  /** Takes over a fact; they come in the order of their keys. */
  void read(byte[] key, byte[] value) {
    ByteReader about = new ByteReader(key);
    int kind = about.readByte();
    switch (kind) {
      case FactKeys.DISK -> disk = number(value);
      case FactKeys.POSITION -> position = number(value);
      case FactKeys.PROMISE -> promised = number(value);
      case FactKeys.TOPOLOGY -> topology = StoredCodec.decodeTopology(value);
      case FactKeys.JOINED -> hasJoined = true;
      case FactKeys.OVER -> readOver(about.readInt(), value);
      case FactKeys.HORIZON -> horizon = StoredCodec.decodeClock(value);
      case FactKeys.CUTS -> cuts = StoredCodec.decodeCuts(value);
      case FactKeys.CLOSED -> closedAt = number(value);
      case FactKeys.MAY_LACK -> mayLack = true;
      case FactKeys.USER -> readUser(about.readInt(), value);
      case FactKeys.MARK -> marks.put(new NodeId(about.readLong()), number(value));
      case FactKeys.COPY -> copies.put(ShardKeys.readShard(about), state(value));
      case FactKeys.WATERMARK -> watermarks.put(ShardKeys.readShard(about), upTo(value));
      default -> throw new MalformedBytesException("no kind of fact: " + kind);
    }
    about.end();
  }

  private void readOver(int place, byte[] value) {
    if (place != over.size()) {
      throw new MalformedBytesException("topology " + place + " after " + over.size());
    }
    over.add(StoredCodec.decodeTopology(value));
  }

  private void readUser(int number, byte[] value) {
    if (number != users.size()) {
      throw new MalformedBytesException("user " + number + " after " + users.size());
    }
    users.add(new NodeId(number(value)));
  }

  private static long number(byte[] value) {
    ByteReader in = new ByteReader(value);
    long number = in.readLong();
    in.end();
    return number;
  }

  private static UpTo upTo(byte[] value) {
    ByteReader in = new ByteReader(value);
    UpTo upTo = new UpTo(in.readLong(), in.readLong());
    in.end();
    return upTo;
  }

  private static byte state(byte[] value) {
    if (value.length != 1 || value[0] < BEGUN || value[0] > COMPLETE) {
      throw new MalformedBytesException("no state of a copy");
    }
    return value[0];
  }
}
