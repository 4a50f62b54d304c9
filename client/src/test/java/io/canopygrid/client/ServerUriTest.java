package io.canopygrid.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.server.ServerAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that say where to connect are read as people write them. */
final class ServerUriTest {
  @Test
  void hostsWithAndWithoutPorts() {
    ServerUri uri = ServerUri.parse("canopy://vm1:11444,vm2,[::1]:7000,[fe80::1]");
    assertThat(uri.servers())
        .isEqualTo(
            List.of(
                new ServerAddress("vm1", 11_444),
                new ServerAddress("vm2", 11_444),
                new ServerAddress("::1", 7_000),
                new ServerAddress("fe80::1", 11_444)));
    assertThat(uri.tls()).isFalse();
    assertThat(uri.user()).isNull();
    assertThat(uri.servers().get(2)).hasToString("[::1]:7000");
  }

  @Test
  void userPasswordAndTls() {
    ServerUri uri = ServerUri.parse("canopys://ada:s%40cr+t@vm1/");
    assertThat(uri.tls()).isTrue();
    assertThat(uri.user()).isEqualTo("ada");
    assertThat(uri.password()).isEqualTo("s@cr+t");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "vm1:11444",
        "http://vm1",
        "canopy://",
        "canopy://vm1:0",
        "canopy://vm1:65536",
        "canopy://vm1,",
        "canopy://vm 1",
        "canopy://a%zz@vm1"
      })
  void whatIsNoneIsRefusedWithoutItsPassword(String text) {
    CanopyException e = catchThrowableOfType(CanopyException.class, () -> ServerUri.parse(text));
    assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Zm9v/YmFy", "a@b", "a:b", "a#b?c", "a//b@c/", "100%25", "a,b", "a b", "[x]"})
  void passwordsMayHaveAnyCharacters(String password) {
    ServerUri uri = ServerUri.parse("canopy://ada:" + password + "@vm1:7000,vm2");
    assertThat(uri.user()).isEqualTo("ada");
    assertThat(uri.password()).isEqualTo(password.replace("%25", "%"));
    assertThat(uri.servers())
        .isEqualTo(List.of(new ServerAddress("vm1", 7_000), new ServerAddress("vm2", 11_444)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "canopy://ada:sec/ret@vm1:0",
        "canopy://ada:sec@ret@vm1?x",
        "http://ada:secret/ret@vm1",
        "ada:se:ret@vm1",
        "canopy://ada:secret",
        "canopy://ada:sec%ret@vm1",
        "canopy:///ada:secret@"
      })
  void noErrorPrintsAPassword(String text) {
    CanopyException e = catchThrowableOfType(CanopyException.class, () -> ServerUri.parse(text));
    assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
    assertThat(e.getMessage()).doesNotContain("sec").doesNotContain("ret");
  }

  @Test
  void addressesOfIpv6MayHaveAZone() {
    ServerUri uri = ServerUri.parse("canopy://[fe80::1%eth0]:1,[fe80::2%25lo]");
    assertThat(uri.servers())
        .isEqualTo(
            List.of(new ServerAddress("fe80::1%eth0", 1), new ServerAddress("fe80::2%lo", 11_444)));
  }

  @Test
  void passwordsAreNotPrinted() {
    CanopyException e =
        catchThrowableOfType(
            CanopyException.class, () -> ServerUri.parse("canopy://ada:secret@vm1?x"));
    assertThat(e.getMessage()).doesNotContain("secret");
    assertThat(ClientOptions.DEFAULTS.as("ada", "secret").toString())
        .contains("ada")
        .doesNotContain("secret");
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    CanopyException e =
        catchThrowableOfType(
            CanopyException.class, () -> ClientOptions.DEFAULTS.withConnectTimeout(Duration.ZERO));
    assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
  }
}
