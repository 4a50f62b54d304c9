package io.canopygrid.server.endpoint.horizon;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.btree.horizon.HeldPast;
import io.canopygrid.btree.horizon.HorizonFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HolderTest {
  private static final long MINUTE = 60_000;

  private static HorizonFacts node(long openMillis, long undoneMillis) {
    List<HorizonFacts.Open> open = List.of(new HorizonFacts.Open("report", openMillis));
    return new HorizonFacts("n1", 0, 0, 0, open, 2, undoneMillis, 0);
  }

  private static HeldPast past(HeldPast.Kind kind, long millis) {
    return new HeldPast(kind, "night", millis);
  }

  @Test
  void theOldestIsFirst() {
    List<Holder> all = Holder.all(List.of(node(5, 7)), List.of(past(HeldPast.Kind.SNAPSHOT, 6)));
    assertThat(all)
        .extracting(Holder::what)
        .containsExactly(
            "2 commits that are not at all owners, or not decided",
            "named snapshot 'night'",
            "a transaction 'report'");
    assertThat(Holder.notable(all)).as("all are young").isNull();
  }

  @Test
  void whatTheConfigurationKeepsIsNotWorthAWord() {
    List<Holder> all =
        Holder.all(List.of(node(MINUTE, 0)), List.of(past(HeldPast.Kind.RETENTION, 100 * MINUTE)));
    assertThat(all).hasSize(2);
    assertThat(Holder.notable(all))
        .isEqualTo(new Holder("transaction", "report", "n1", MINUTE, "a transaction 'report'"));
  }
}
