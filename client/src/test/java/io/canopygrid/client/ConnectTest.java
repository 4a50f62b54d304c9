package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import org.junit.jupiter.api.Test;

/** A handle is opened while servers stop. */
final class ConnectTest {
  @Test
  void anotherServerIsAskedWhereTheFirstStopsJustThen() throws Exception {
    try (FakeServer one = new FakeServer(request -> Fakes.NO_ROUTES);
        FakeServer two = new FakeServer(request -> Fakes.NO_ROUTES)) {
      one.stopsWhenAsked(1);
      two.stopsWhenAsked(1);
      RemoteCanopy.connect("canopy://" + one.address() + "," + two.address()).close();
    }
  }

  @Test
  void aServerThatIsTheOnlyOneAndHasGoneIsSaidToBeAway() throws Exception {
    String address;
    try (FakeServer gone = new FakeServer(request -> Fakes.NO_ROUTES)) {
      address = gone.address();
    }
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> RemoteCanopy.connect("canopy://" + address).close())
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED));
  }
}
