package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.DiskImage;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.wire.StepReader;
import io.canopygrid.gmu.wire.StepWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The changes of steps come back from the records of the log; other bytes are none. */
final class StepRecordsTest {
  private static final TxId TID = new TxId(new NodeId(7), 1);

  @Test
  void changesComeBack() {
    for (long seed = 1; seed <= 10; seed++) {
      ChangeGenerator generator = new ChangeGenerator(seed);
      StepWriter writer = new StepWriter();
      StepReader reader = new StepReader();
      DiskImage written = new DiskImage();
      DiskImage read = new DiskImage();
      while (generator.position() < 1_000) {
        List<List<StorageChange>> steps = List.of(generator.next(), generator.next());
        List<StorageChange> changes = decode(reader, writer.encode(steps));
        assertThat(changes).hasSize(steps.get(0).size() + steps.get(1).size());
        steps.forEach(step -> step.forEach(written::apply));
        changes.forEach(read::apply);
      }
      assertThat(Contents.of(read.recovered()))
          .as("seed %d", seed)
          .isEqualTo(Contents.of(written.recovered()));
    }
  }

  private static List<StorageChange> decode(StepReader reader, ByteBuffer record) {
    return reader.decode(
        record.array(), record.arrayOffset() + record.position(), record.remaining());
  }

  /** A commit writes a decision, then the version, with the same value and clocks. */
  @Test
  void whatWasToldBeforeIsNotToldAgain() {
    byte[] value = new byte[1_000];
    VectorClock clock = clock(300);
    StepWriter writer = new StepWriter();
    int first = writer.encode(List.of(commit(value, clock))).remaining();
    VectorClock later = clock.with(17, 5_000);
    byte[] other = new byte[1_000];
    other[500] = 1;
    int second = writer.encode(List.of(commit(other, later))).remaining();
    assertThat(first).isBetween(1_600, 2_000);
    assertThat(second).isBetween(1_000, 1_200);
    int applied = writer.encode(List.of(commit(value, later).subList(1, 2))).remaining();
    assertThat(applied).isLessThan(80);
    int equal = writer.encode(List.of(commit(other.clone(), later.with(18, 5_000)))).remaining();
    assertThat(equal).isLessThan(300);
  }

  /** Values, or clocks, may push each other out of the writer's memory. */
  @Test
  void valuesThatDifferInAFewBytesComeBack() {
    Random random = new Random(1);
    StepWriter writer = new StepWriter();
    StepReader reader = new StepReader();
    for (int i = 0; i < 5_000; i++) {
      byte[] value = new byte[40 + random.nextInt(2)];
      value[random.nextInt(value.length)] = (byte) random.nextInt(3);
      CompositeKey key = CompositeKey.of(1, new byte[] {1});
      VectorClock clock = VectorClock.of(new int[] {1, 2}, new long[] {1 + random.nextInt(30), 7});
      List<StorageChange> changes =
          List.of(
              new StorageChange.PutVersion(0, key, i, TID, TID, value),
              new StorageChange.PutLog(0, i, TID, clock));
      List<StorageChange> read = decode(reader, writer.encode(List.of(changes)));
      assertThat(((StorageChange.PutVersion) read.get(0)).value()).isEqualTo(value);
      assertThat(read.get(1)).isEqualTo(changes.get(1));
    }
  }

  private static List<StorageChange> commit(byte[] value, VectorClock clock) {
    CompositeKey key = CompositeKey.of(1, new byte[] {1});
    Footprint footprint =
        new Footprint(List.of(), List.of(), List.of(new Footprint.Write(key, value, null)));
    TxRecord rec = new TxRecord(TID, 0, List.of(0), clock, footprint, true, "label");
    return List.of(
        new StorageChange.PutDecision(
            new Decision(TID, clock.with(0, 9_000), List.of(0), clock, List.of(rec))),
        new StorageChange.PutVersion(0, key, 9_000, TID, TID, value),
        new StorageChange.PutLog(0, 9_000, TID, clock.with(0, 9_000)));
  }

  private static VectorClock clock(int shards) {
    int[] names = new int[shards];
    long[] numbers = new long[shards];
    for (int i = 0; i < shards; i++) {
      names[i] = i;
      numbers[i] = 1L + i;
    }
    return VectorClock.of(names, numbers);
  }

  @Test
  void everyBeginningOfARecordIsRefused() {
    byte[] value = new byte[100];
    ByteBuffer record = new StepWriter().encode(List.of(commit(value, clock(20))));
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    for (int length = 0; length < bytes.length; length++) {
      int cut = length;
      assertThatThrownBy(() -> new StepReader().decode(bytes, 0, cut))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(MalformedBytesException.class);
    }
  }

  @Test
  void aRecordOfAnotherReleaseIsNamed() {
    assertThatThrownBy(() -> new StepReader().decode(new byte[] {9, 0}, 0, 2))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("form 9");
  }
}
