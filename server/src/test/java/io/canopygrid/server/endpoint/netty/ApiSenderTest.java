package io.canopygrid.server.endpoint.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The senders of requests to the API that are heard. */
final class ApiSenderTest {
  private static final String ADA = "Basic YWRhOnNlY3JldDo6";

  private static Channel from(String address) {
    return new EmbeddedChannel() {
      @Override
      public SocketAddress remoteAddress() {
        return new InetSocketAddress(address, 5_000);
      }
    };
  }

  private static HttpHeaders headers(String name, String value) {
    return new DefaultHttpHeaders().set(name, value);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, true", "::1, true", "10.0.0.7, false"})
  void aPasswordInPlaintextIsTakenFromThisMachineOnly(String address, boolean isTaken) {
    HttpHeaders headers = headers("authorization", ADA);
    if (isTaken) {
      ApiSender.Login login = ApiSender.login(headers, from(address));
      assertThat(login).isNotNull();
      assertThat(login.user()).isEqualTo("ada");
      assertThat(new String(login.password())).isEqualTo("secret::");
    } else {
      assertThatExceptionOfType(CanopyException.class)
          .isThrownBy(() -> ApiSender.login(headers, from(address)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:11444, 127.0.0.1, false, true",
    "127.0.0.1:11444, 127.0.0.1, false, true",
    "[::1]:11444, ::1, false, true",
    "VM1:80, 127.0.0.1, false, true",
    "evil.example, 127.0.0.1, false, false",
    "evil.example, 127.0.0.1, true, true",
    "evil.example, 10.0.0.7, false, true"
  })
  void aNameOfTheInternetDoesNotLeadHere(
      String host, String from, boolean isGuarded, boolean isHeard) {
    HttpHeaders headers = headers("host", host);
    if (isHeard) {
      ApiSender.checkSite(headers, from(from), isGuarded, "vm1:11444");
    } else {
      assertThatExceptionOfType(CanopyException.class)
          .isThrownBy(() -> ApiSender.checkSite(headers, from(from), isGuarded, "vm1:11444"));
    }
  }
}
