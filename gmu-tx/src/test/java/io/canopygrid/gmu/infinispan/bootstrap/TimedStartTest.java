package io.canopygrid.gmu.infinispan.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.infinispan.bootstrap.JoinException.Reason;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.lifecycle.ComponentStatus;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.util.Util;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A start that is ended before Infinispan has begun with it does not go on afterwards. */
@Timeout(60)
final class TimedStartTest {
  private JChannel channel;
  private DefaultCacheManager caches;

  @BeforeEach
  void hesitantInfinispan() throws Exception {
    channel = new JChannel(Util.getTestStack());
    GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global.transport().transport(new JGroupsTransport(channel));
    global.jmx().disable();
    global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
    caches = new Hesitant(new ConfigurationBuilderHolder(getClass().getClassLoader(), global));
  }

  @Test
  void whereItIsInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> new TimedStart(channel, caches).within(60_000))
        .isInstanceOf(CancellationException.class);

    assertThat(Thread.interrupted()).as("keeps its flag").isTrue();
    assertEnded();
  }

  @Test
  void whereItsTimeHasPassed() {
    assertThatThrownBy(() -> new TimedStart(channel, caches).within(1))
        .isInstanceOf(JoinException.class)
        .extracting(e -> ((JoinException) e).reason())
        .isEqualTo(Reason.TIMED_OUT);

    assertEnded();
  }

  private void assertEnded() {
    assertThat(caches.getStatus()).isEqualTo(ComponentStatus.TERMINATED);
    assertThat(channel.isClosed()).isTrue();
  }

  /** A cache manager whose start begins late. */
  private static final class Hesitant extends DefaultCacheManager {
    Hesitant(ConfigurationBuilderHolder holder) {
      super(holder, false);
    }

    @Override
    public void start() {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      super.start();
    }
  }
}
