package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Looking up keys and their neighbours. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class ReadsContract extends Theme {
  ReadsContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void getAndContainsKey() {
    letters();
    read(v -> {
      assertThat(v.get("m")).isEqualTo("M");
      assertThat(v.get("mm")).isNull();
      assertThat(v.containsKey("m")).isTrue();
      assertThat(v.containsKey("mm")).isFalse();
    });
    assertThat(getThere("m")).isEqualTo("M");
  }

  @Test
  void neighboursAreThoseOfNavigableMap() {
    letters();
    read(v -> {
      assertThat(v.firstEntry()).isEqualTo(Map.entry("a", "A"));
      assertThat(v.lastEntry()).isEqualTo(Map.entry("z", "Z"));
      assertThat(v.floorEntry("m")).isEqualTo(Map.entry("m", "M"));
      assertThat(v.floorEntry("mm")).isEqualTo(Map.entry("m", "M"));
      assertThat(v.floorEntry("")).isNull();
      assertThat(v.lowerEntry("m")).isEqualTo(Map.entry("l", "L"));
      assertThat(v.lowerEntry("a")).isNull();
      assertThat(v.ceilingEntry("m")).isEqualTo(Map.entry("m", "M"));
      assertThat(v.ceilingEntry("mm")).isEqualTo(Map.entry("n", "N"));
      assertThat(v.ceilingEntry("zz")).isNull();
      assertThat(v.higherEntry("m")).isEqualTo(Map.entry("n", "N"));
      assertThat(v.higherEntry("z")).isNull();
    });
  }

  @Test
  void neighboursInAnUpdateSeeOwnWrites() {
    letters();
    write(v -> {
      v.remove("a");
      v.put("mm", "own");
      v.put("zz", "last");
      assertThat(v.firstEntry()).isEqualTo(Map.entry("b", "B"));
      assertThat(v.lastEntry()).isEqualTo(Map.entry("zz", "last"));
      assertThat(v.higherEntry("m")).isEqualTo(Map.entry("mm", "own"));
      assertThat(v.floorEntry("mmm")).isEqualTo(Map.entry("mm", "own"));
      assertThat(v.count()).isEqualTo(27);
    });
  }

  @Test
  void anEmptyIndexHasNothing() {
    read(v -> {
      assertThat(v.get("a")).isNull();
      assertThat(v.firstEntry()).isNull();
      assertThat(v.lastEntry()).isNull();
      assertThat(v.floorEntry("a")).isNull();
      assertThat(v.lowerEntry("a")).isNull();
      assertThat(v.ceilingEntry("a")).isNull();
      assertThat(v.higherEntry("a")).isNull();
      assertThat(v.count()).isZero();
      assertThat(keys(v.scan())).isEmpty();
    });
  }

  @Test
  void theEmptyKeyIsAKeyAndTheEmptyValueAValue() {
    write(v -> v.put("", "empty"));
    letters();
    write(v -> v.put("b", ""));
    read(v -> {
      assertThat(v.get("")).isEqualTo("empty");
      assertThat(v.get("b")).isEmpty();
      assertThat(v.firstEntry()).isEqualTo(Map.entry("", "empty"));
      assertThat(v.lowerEntry("a")).isEqualTo(Map.entry("", "empty"));
    });
    write(v -> v.remove(""));
    assertThat(get("")).isNull();
  }

  @Test
  void oneSnapshotThroughout() {
    letters();
    read(v -> {
      assertThat(v.get("a")).isEqualTo("A");
      overwrite("a", "later");
      overwrite("zz", "later");
      assertThat(v.get("a")).isEqualTo("A");
      assertThat(v.lastEntry()).isEqualTo(Map.entry("z", "Z"));
      assertThat(v.count()).isEqualTo(26);
    });
    assertThat(get("a")).isEqualTo("later");
  }

  @Test
  void nullsAreRefusedAtOnce() {
    read(v -> {
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.get(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.containsKey(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.floorEntry(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.lowerEntry(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.ceilingEntry(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.higherEntry(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.scan(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.count(null));
      refused(ErrorCode.NULL_NOT_ALLOWED, () -> v.resume(null));
    });
  }
}
