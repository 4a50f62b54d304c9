package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.TransactionOptions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Named snapshots. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class SnapshotsContract extends Theme {
  SnapshotsContract(ContractGrid grid) {
    super(grid);
  }

  private TransactionOptions night() {
    return TransactionOptions.DEFAULTS.at(name);
  }

  @Test
  void seeTheStateOfTheirMomentUntilTheyAreDropped() {
    letters();
    NamedSnapshot taken = db.snapshot(name);
    assertThat(taken.name()).isEqualTo(name);
    write(v -> {
      v.remove("a");
      v.put("b", "later");
      v.put("zz", "later");
    });
    Index<Long, Long> later = db.index(name + "-later", Codec.int64(), Codec.int64());
    db.run(tx -> tx.on(later).put(1L, 1L));
    for (Canopy handle : new Canopy[] {db, other}) {
      Index<String, String> there = texts(handle);
      Index<Long, Long> laterThere = handle.index(name + "-later", Codec.int64(), Codec.int64());
      handle.read(
          night(),
          tx -> {
            assertThat(tx.on(there).get("a")).isEqualTo("A");
            assertThat(tx.on(there).get("b")).isEqualTo("B");
            assertThat(tx.on(there).count()).isEqualTo(26);
            assertThat(tx.on(laterThere).count()).isZero();
            return null;
          });
    }
    assertThat(get("a")).isNull();
    assertThat(db.snapshots()).contains(taken);
    assertThat(db.dropSnapshot(name)).isTrue();
    assertThat(db.dropSnapshot(name)).isFalse();
    assertThat(db.snapshots()).doesNotContain(taken);
    refused(ErrorCode.UNKNOWN_SNAPSHOT, () -> db.read(night(), tx -> tx.on(index).get("a")));
  }

  @Test
  void refuseWhatTheyCannotBe() {
    db.snapshot(name);
    refused(ErrorCode.SNAPSHOT_EXISTS, () -> db.snapshot(name));
    refused(ErrorCode.SNAPSHOT_EXISTS, () -> other.snapshot(name));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.snapshot(""));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.snapshot("a b"));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.snapshot(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.dropSnapshot(null));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.run(night(), tx -> tx.on(index).put("a", "")));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.call(night(), tx -> 1));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.begin(night()));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> db.read(night().withIsolation(Isolation.SERIALIZABLE), tx -> tx.on(index).get("a")));
    db.dropSnapshot(name);
  }
}
