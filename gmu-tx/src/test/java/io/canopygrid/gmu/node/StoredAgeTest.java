package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StoredAgeTest {
  private final StoredAge age = new StoredAge(500, 0, 7);

  @Test
  void aStepAgesFromTheFirstLookThatFindsItNotStored() {
    assertThat(age.look(200, 9, 7)).as("nothing was taken before").isZero();
    assertThat(age.look(400, 12, 8)).isEqualTo(200);
    assertThat(age.look(600, 15, 8)).isEqualTo(400);
    assertThat(age.look(800, 15, 9)).as("step 9 is stored, and 15 is young").isZero();
    assertThat(age.look(1_000, 20, 14)).isEqualTo(200);
    assertThat(age.look(1_200, 20, 20)).isZero();
  }

  @Test
  void aDiskThatIsNotToldAnythingIsNotSlow() {
    for (int look = 1; look < 10; look++) {
      assertThat(age.look(200L * look, 7, 7)).isZero();
    }
  }

  /** Of a process that was stopped meanwhile nobody knows what its disk did. */
  @Test
  void aLongRestBetweenLooksCountsLittle() {
    assertThat(age.look(200, 9, 7)).isZero();
    assertThat(age.look(60_000, 9, 7)).isEqualTo(500);
    assertThat(age.look(60_200, 9, 7)).isEqualTo(700);
  }
}
