package io.canopygrid.gmu.infinispan.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.infinispan.tls.StackProtection;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.JChannel;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.protocols.TCP;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stack that protects messages does not protect those on connections beside the channel. */
@Timeout(60)
final class ProtectedStackTest {
  @Test
  void whereTheStackEncryptsAllGoesThroughTheChannel() throws Exception {
    SecretKey key = new SecretKeySpec(new byte[16], "AES");
    try (Member guarded = new Member(List.of(), null, new SYM_ENCRYPT().setSecretKey(key));
        Member other = new Member(List.of(guarded), null, new SYM_ENCRYPT().setSecretKey(key))) {
      assertThatThrownBy(() -> dial(guarded)).isInstanceOf(ConnectException.class);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      guarded.exchanges.exchange(() -> guarded.ask(other.address(), "1"), () -> false, deadline);
      assertThat(guarded.sent).containsExactly("1");
    }
  }

  @Test
  void aStackWithTlsOfItsOwnIsKnownAsSuch() throws Exception {
    TCP transport = new TCP();
    try (JChannel channel = new JChannel(transport)) {
      assertThat(StackProtection.isIn(channel.getProtocolStack())).isFalse();
      transport.tls().enabled(true);
      assertThat(StackProtection.isIn(channel.getProtocolStack())).isTrue();
    }
  }

  private static void dial(Member member) throws Exception {
    new Socket(InetAddress.getLoopbackAddress(), member.port + 200).close();
  }
}
