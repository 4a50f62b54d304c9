package io.canopygrid.gmu.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message.Ack;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Methods are replaced during a run, and only then; a mutation that does nothing is noticed. */
final class ReplacementTest {
  private static final Ack KNOWN = new Ack(new TxId(Grid.id(0), 1), 0, 1, false);
  private static final Replacement APPLIED =
      Replacement.returning(Dissemination.class, "isApplied", true);

  @Test
  void aMethodIsReplacedDuringTheRun() {
    assertThat(Dissemination.isApplied(KNOWN)).isFalse();
    assertThat(during(APPLIED)).isTrue();
    assertThat(Dissemination.isApplied(KNOWN)).isFalse();
  }

  @Test
  void aReplacementCanDoWhatTheMethodDoes() {
    Replacement inverted =
        Replacement.replacing(
            Dissemination.class,
            "isApplied",
            call -> !call.proceed(Boolean.class) && !call.argument(0, Ack.class).applied());
    assertThat(during(inverted)).isTrue();
  }

  @Test
  void aRunThatFailsLeavesNothingReplaced() {
    List<Replacement> replaced = List.of(APPLIED);
    assertThatThrownBy(() ->
            Replacement.during(
                replaced,
                () -> {
                  throw new IllegalArgumentException("planted");
                }))
        .hasMessage("planted");
    assertThat(Dissemination.isApplied(KNOWN)).isFalse();
    assertThat(during(APPLIED)).isTrue();
  }

  @Test
  void aMethodThatDoesNotExistFails() {
    assertThatThrownBy(() -> during(Replacement.returning(Dissemination.class, "isDon", true)))
        .hasMessageContaining("must be one method: io.canopygrid.gmu.protocol.Dissemination.isDon");
  }

  @Test
  void aMethodThatIsNotCalledFails() {
    List<Replacement> replaced = List.of(APPLIED);
    Replacement.during(replaced, () -> true);
    assertThatThrownBy(() -> Replacement.requireCalled(replaced))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("never called: [io.canopygrid.gmu.protocol.Dissemination.isApplied]");
  }

  private static boolean during(Replacement replaced) {
    return Replacement.during(List.of(replaced), () -> Dissemination.isApplied(KNOWN));
  }
}
