package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AvailabilityTest {
  private final List<Boolean> told = new ArrayList<>();
  private final Availability availability = new Availability(told::add);

  private static Set<NodeId> nodes(long count) {
    return LongStream.rangeClosed(1, count).mapToObj(NodeId::new).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({
    "1,1,false",
    "1,2,true",
    "2,2,false",
    "1,3,true",
    "2,3,false",
    "2,4,true",
    "3,4,false",
    "2,5,true",
    "3,5,false",
    "4,3,false",
    "1,0,false"
  })
  void halfOfTheMembersAreNotEnough(long present, long members, boolean outnumbered) {
    assertThat(Availability.isOutnumbered(nodes(present), nodes(members))).isEqualTo(outnumbered);
  }

  @Test
  void whoSeesAllIsNotCutOffWhateverInfinispanSays() {
    availability.sees(nodes(2)); // who joins, before it has a topology
    availability.installed(nodes(2));
    availability.degraded(true);
    assertThat(availability.wasCutOff()).isFalse();
  }

  @Test
  void theNetworkIsBelievedBeforeInfinispanKnows() {
    availability.installed(nodes(3));
    availability.sees(nodes(3));
    availability.sees(nodes(1));
    assertThat(told).containsExactly(false);
    assertThat(availability.isDegraded()).isFalse();

    availability.degraded(true);
    availability.sees(nodes(3));
    assertThat(availability.wasCutOff()).as("also after the merge").isTrue();
    assertThat(told).as("a merge is not enough").containsExactly(false);

    availability.degraded(false);
    assertThat(told).containsExactly(false, true);
  }

  @Test
  void aCutThatInfinispanDoesNotNoticeEndsWithTheMerge() {
    availability.installed(nodes(3));
    availability.sees(nodes(1));
    availability.sees(nodes(3));

    assertThat(told).containsExactly(false, true);
  }

  @Test
  void whatIsAgreedOnWithoutThoseWhoAreGoneEndsIt() {
    availability.sees(nodes(3));
    availability.installed(nodes(3));
    availability.sees(nodes(1));
    availability.installed(nodes(1));

    assertThat(told).containsExactly(false, true);
  }

  @Test
  void whoSeesTheGreaterPartIsToldNothing() {
    availability.installed(nodes(3));
    availability.sees(nodes(3));
    availability.sees(nodes(2));
    availability.installed(nodes(2));

    assertThat(told).isEmpty();
  }
}
