package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.memory.DiskImage;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.message.Message.Decision;
import io.canopygrid.gmu.message.Message.UpTo;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.Storage.Batch;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of any storage: it has what a replay of its batches gives. */
abstract class StorageContract {
  private static final int STEPS = 1_500;
  private static final NodeId NODE = new NodeId(7);
  private static final NodeId OTHER = new NodeId(8);
  private static final CompositeKey KEY = CompositeKey.of(1, new byte[] {1});

  private Storage storage;

  /** Opens a storage with nothing in it. */
  abstract Storage open();

  /** Closes a storage, and opens what is on its disk. */
  abstract Storage reopen(Storage open);

  @BeforeEach
  final void openOne() {
    storage = open();
  }

  @AfterEach
  final void closeIt() {
    storage.close();
  }

  @Test
  void aNewOneHasNothing() {
    assertThat(storage.openedAt()).isZero();
    assertThat(storage.recovered()).isEqualTo(Recovered.NOTHING);
    storage = reopen(storage);
    assertThat(storage.openedAt()).isZero();
    assertThat(storage.recovered()).isEqualTo(Recovered.NOTHING);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itHasWhatAReplayGives(long seed) {
    ChangeGenerator generator = new ChangeGenerator(seed);
    DiskImage image = new DiskImage();
    Random random = new Random(seed);
    while (generator.position() < STEPS) {
      List<Batch> group = new ArrayList<>();
      int size = 1 + random.nextInt(8);
      for (int i = 0; i < size; i++) {
        List<StorageChange> changes = generator.next();
        changes.forEach(image::apply);
        group.add(new Batch(generator.position(), changes));
      }
      storage.write(group);
      if (random.nextInt(20) == 0) {
        storage.force();
      }
      if (random.nextInt(40) == 0 || generator.position() >= STEPS) {
        storage = reopen(storage);
        generator.reopened();
        image.open();
        assertThat(storage.openedAt()).isEqualTo(generator.position());
        assertThat(Contents.of(storage.recovered()))
            .as("seed %d, position %d", seed, generator.position())
            .isEqualTo(Contents.of(image.recovered()));
      }
    }
    assertThat(image.copies()).as("seed %d reaches copies", seed).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void itTellsTheValuesThatItHasLeftOnTheDisk(long seed) {
    ChangeGenerator generator = new ChangeGenerator(seed);
    DiskImage image = new DiskImage();
    int left = 0;
    for (int life = 1; life <= 4; life++) {
      live(generator, image, life * STEPS / 4);
      assertThat(storage.readableUpTo()).isEqualTo(storage.openedAt());
      for (int shard : storage.recovered(s -> false).copies().keySet()) {
        for (Recovered.Version version : storage.open(shard, life * 10L).versions()) {
          VersionId id =
              new VersionId(shard, version.key(), version.sequenceNumber(), version.tid());
          byte[] value = image.read(id);
          assertThat(storage.read(id)).as("seed %d: %s", seed, version).isEqualTo(value);
          assertThat(version.size()).isEqualTo(value == null ? 0 : value.length);
          left += version.isCold() ? 1 : 0;
          if (!version.isCold()) {
            assertThat(version.value()).isEqualTo(value);
          }
        }
      }
    }
    assertThat(left).as("seed %d leaves values", seed).isPositive();
  }

  /** A copy that is left closed has all that was there and was not dropped, whenever it is read. */
  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void itOpensCopiesLater(long seed) {
    ChangeGenerator generator = new ChangeGenerator(seed);
    DiskImage image = new DiskImage();
    int opened = 0;
    for (int life = 1; life <= 4; life++) {
      live(generator, image, life * STEPS / 4);
      Map<Integer, Recovered.Copy> before = image.recovered().copies();
      Map<Integer, Recovered.Copy> closed = storage.recovered(s -> false).copies();
      assertThat(closed).containsOnlyKeys(before.keySet());
      for (int i = 0; i < 20; i++) {
        writeNext(generator, image);
      }
      Map<Integer, Recovered.Copy> after = image.recovered().copies();
      for (Map.Entry<Integer, Recovered.Copy> each : before.entrySet()) {
        Recovered.Copy copy = Objects.requireNonNull(closed.get(each.getKey()));
        assertThat(copy.isClosed()).isTrue();
        assertThat(copy.versions()).isEmpty();
        assertThat(Set.copyOf(copy.log())).isEqualTo(Set.copyOf(each.getValue().log()));
        Recovered.Copy now = after.get(each.getKey());
        if (now != null) {
          opened++;
          Set<VersionId> had = ids(each.getKey(), each.getValue());
          Set<VersionId> has = ids(each.getKey(), now);
          Set<VersionId> told = ids(each.getKey(), storage.open(each.getKey(), 0));
          Set<VersionId> ever = new HashSet<>(had);
          ever.addAll(has);
          assertThat(ever).as("seed %d", seed).containsAll(told);
          had.retainAll(has);
          assertThat(told).as("seed %d", seed).containsAll(had);
        }
      }
    }
    assertThat(opened).as("seed %d opens copies", seed).isPositive();
  }

  /** A process writes up to a position, and another one opens the storage. */
  private void live(ChangeGenerator generator, DiskImage image, long upTo) {
    while (generator.position() < upTo) {
      writeNext(generator, image);
    }
    storage = reopen(storage);
    generator.reopened();
    image.open();
  }

  private void writeNext(ChangeGenerator generator, DiskImage image) {
    List<StorageChange> changes = generator.next();
    changes.forEach(image::apply);
    storage.write(List.of(new Batch(generator.position(), changes)));
  }

  private static Set<VersionId> ids(int shard, Recovered.Copy copy) {
    Set<VersionId> ids = new HashSet<>();
    for (Recovered.Version version : copy.versions()) {
      ids.add(new VersionId(shard, version.key(), version.sequenceNumber(), version.tid()));
    }
    return ids;
  }

  /** Each snapshot can need the value of a version that has others beside it, or a log entry. */
  @Test
  void itLeavesValuesOfSoleVersionsOnly() {
    TxId one = new TxId(NODE, 1);
    TxId two = new TxId(NODE, 2);
    TxId three = new TxId(NODE, 3);
    CompositeKey twice = CompositeKey.of(16, new byte[] {1});
    CompositeKey logged = CompositeKey.of(16, new byte[] {2});
    CompositeKey sole = CompositeKey.of(16, new byte[] {3});
    CompositeKey small = CompositeKey.of(2, new byte[] {3});
    byte[] value = {7};
    write(
        1,
        new StorageChange.BeginCopy(3),
        new StorageChange.PutVersion(3, twice, 1, one, one, value),
        new StorageChange.PutVersion(3, twice, 2, two, two, value),
        new StorageChange.PutVersion(3, logged, 3, three, three, value),
        new StorageChange.PutLog(3, 3, three, VectorClock.ZERO),
        new StorageChange.PutVersion(3, sole, 1, one, two, value),
        // No entry of users, but one that each node reads without asking.
        new StorageChange.PutVersion(3, small, 1, one, one, value),
        new StorageChange.CompleteCopy(3));
    storage = reopen(storage);
    Recovered.Copy copy = Objects.requireNonNull(storage.open(3, 0));
    assertThat(copy.versions())
        .filteredOn(Recovered.Version::isCold)
        .singleElement()
        .satisfies(version -> {
          assertThat(version.key()).isEqualTo(sole);
          assertThat(version.writer()).isEqualTo(two);
          assertThat(version.size()).isEqualTo(1);
        });
    assertThat(storage.read(new VersionId(3, sole, 1, one))).containsExactly(7);
    assertThat(storage.read(new VersionId(3, sole, 2, one))).isNull();
    assertThat(storage.read(new VersionId(4, sole, 1, one))).isNull();
    write(2, new StorageChange.DropVersion(3, sole, 1, one));
    storage = reopen(storage);
    assertThat(storage.read(new VersionId(3, sole, 1, one))).isNull();
  }

  @Test
  void aCopyThatIsNotCompleteIsDropped() {
    write(1, new StorageChange.BeginCopy(3), version(3, 1, new TxId(NODE, 1)));
    storage = reopen(storage);
    assertThat(storage.openedAt()).isEqualTo(1);
    assertThat(storage.recovered()).isEqualTo(Recovered.NOTHING);
    write(2, new StorageChange.BeginCopy(3), new StorageChange.CompleteCopy(3));
    storage = reopen(storage);
    assertThat(storage.recovered().copies()).containsOnlyKeys(3);
    assertThat(copy(3).versions()).isEmpty();
  }

  @Test
  void aCopyThatBeginsAgainHasNothingOfTheOneBefore() {
    TxId tid = new TxId(NODE, 1);
    write(
        1,
        new StorageChange.BeginCopy(3),
        version(3, 1, tid),
        new StorageChange.PutLog(3, 1, tid, VectorClock.ZERO),
        new StorageChange.BeginCopy(4),
        version(4, 1, tid),
        new StorageChange.CompleteCopy(4));
    write(2, new StorageChange.BeginCopy(3), version(3, 2, tid), new StorageChange.CompleteCopy(3));
    storage = reopen(storage);
    Recovered.Copy copy = copy(3);
    assertThat(copy.versions())
        .singleElement()
        .satisfies(version -> assertThat(version.sequenceNumber()).isEqualTo(2));
    assertThat(copy.log()).isEmpty();
    assertThat(copy(4).versions()).hasSize(1);
  }

  /** Its watermark says up to where; the copy that begins after it has none. */
  @Test
  void aCopyThatIsGoneOnWithIsDroppedUntilItIsCompleteAgain() {
    write(
        1,
        new StorageChange.BeginCopy(3),
        new StorageChange.CompleteCopy(3),
        version(3, 1, new TxId(NODE, 1)),
        new StorageChange.PutWatermark(3, 7, 1));
    storage = reopen(storage);
    assertThat(copy(3).complete()).isEqualTo(new UpTo(7, 1));
    write(2, new StorageChange.ResumeCopy(3));
    write(3, new StorageChange.CompleteCopy(3));
    storage = reopen(storage);
    assertThat(copy(3).versions()).hasSize(1);
    assertThat(copy(3).complete()).isEqualTo(new UpTo(7, 1));
    write(4, new StorageChange.ResumeCopy(3));
    storage = reopen(storage);
    assertThat(storage.recovered().copies()).isEmpty();
    write(5, new StorageChange.BeginCopy(3), new StorageChange.CompleteCopy(3));
    storage = reopen(storage);
    assertThat(copy(3).complete()).isEqualTo(UpTo.NOTHING);
  }

  @Test
  void versionsMayShareANumber() {
    write(
        1,
        new StorageChange.BeginCopy(0),
        new StorageChange.CompleteCopy(0),
        version(0, 5, new TxId(NODE, 1)),
        version(0, 5, new TxId(OTHER, 1)),
        version(0, 5, new TxId(NODE, 2)));
    write(2, new StorageChange.DropVersion(0, KEY, 5, new TxId(OTHER, 1)));
    storage = reopen(storage);
    assertThat(copy(0).versions())
        .extracting(Recovered.Version::tid)
        .containsExactlyInAnyOrder(new TxId(NODE, 1), new TxId(NODE, 2));
  }

  @Test
  void aMarkPrunesTheDecisionsOfItsCoordinatorBelow() {
    write(
        1,
        decision(NODE, 1),
        decision(NODE, 2),
        decision(NODE, 3),
        decision(OTHER, 1),
        new StorageChange.PutMark(NODE, 3));
    write(2, new StorageChange.PutMark(NODE, 3), decision(NODE, 1));
    storage = reopen(storage);
    assertThat(storage.recovered().marks()).containsOnly(Map.entry(NODE, 3L));
    assertThat(storage.recovered().decisions())
        .extracting(Decision::tid)
        .containsExactlyInAnyOrder(new TxId(NODE, 1), new TxId(NODE, 3), new TxId(OTHER, 1));
    write(3, new StorageChange.PutMark(NODE, 4));
    storage = reopen(storage);
    assertThat(storage.recovered().decisions())
        .extracting(Decision::tid)
        .containsExactly(new TxId(OTHER, 1));
  }

  @Test
  void usersAreInOrderAndPromisesRise() {
    write(1, new StorageChange.PutUser(OTHER), new StorageChange.PutPromise(9));
    write(2, new StorageChange.PutUser(NODE), new StorageChange.PutPromise(4));
    storage = reopen(storage);
    write(3, new StorageChange.PutUser(OTHER), new StorageChange.PutPromise(5));
    storage = reopen(storage);
    assertThat(storage.recovered().users()).containsExactly(OTHER, NODE, OTHER);
    assertThat(storage.recovered().promised()).isEqualTo(9);
  }

  @Test
  void cutsAreThoseThatWerePutLast() {
    Cut one = new Cut(7, VectorClock.of(new int[] {0, 3}, new long[] {5, Cut.UNLIMITED}));
    Cut two = new Cut(9, VectorClock.of(new int[] {3}, new long[] {4}));
    write(1, new StorageChange.PutCuts(List.of(one)));
    storage = reopen(storage);
    assertThat(storage.recovered().cuts()).containsExactly(one);
    write(2, new StorageChange.PutCuts(List.of(one, two)));
    write(3, new StorageChange.PutUser(NODE));
    storage = reopen(storage);
    assertThat(storage.recovered().cuts()).containsExactly(one, two);
    write(4, new StorageChange.PutCuts(List.of(two)));
    storage = reopen(storage);
    assertThat(storage.recovered().cuts()).containsExactly(two);
    assertThat(storage.recovered().mayLack()).isFalse();
  }

  @Test
  void positionsRise() {
    write(5);
    assertThatThrownBy(() -> write(5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> storage.write(List.of(new Batch(7, List.of()), new Batch(6, List.of()))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> storage.write(List.of())).isInstanceOf(IllegalArgumentException.class);
    write(6);
    storage = reopen(storage);
    assertThat(storage.openedAt()).isEqualTo(6);
    assertThatThrownBy(() -> write(6)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aClosedOneTakesNothing() {
    storage.close();
    storage.close();
    assertThatThrownBy(() -> write(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(storage::force).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> storage.read(new VersionId(3, KEY, 1, new TxId(NODE, 1))))
        .isInstanceOf(IllegalStateException.class);
  }

  private Recovered.Copy copy(int shard) {
    return Objects.requireNonNull(storage.recovered().copies().get(shard));
  }

  private void write(long position, StorageChange... changes) {
    storage.write(List.of(new Batch(position, List.of(changes))));
  }

  private static StorageChange version(int shard, long number, TxId tid) {
    return new StorageChange.PutVersion(shard, KEY, number, tid, tid, new byte[] {2});
  }

  private static StorageChange decision(NodeId coordinator, long counter) {
    return new StorageChange.PutDecision(
        new Decision(
            new TxId(coordinator, counter),
            VectorClock.ZERO,
            List.of(0),
            VectorClock.ZERO,
            List.of()));
  }
}
