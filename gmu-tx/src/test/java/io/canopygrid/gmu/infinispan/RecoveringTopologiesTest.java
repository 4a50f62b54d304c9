package io.canopygrid.gmu.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.junit.jupiter.api.Test;

final class RecoveringTopologiesTest {
  private static final String DOMAIN = "canopy.lineage-topologies-test";

  @Test
  void infinispansBeanIsThereAndAnswers() throws Exception {
    GlobalConfigurationBuilder infinispan = GlobalConfigurationBuilder.defaultClusteredBuilder();
    infinispan.jmx().enable().domain(DOMAIN);
    infinispan.transport().transport(new JGroupsTransport(channel()));
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try (DefaultCacheManager manager = new DefaultCacheManager(infinispan.build())) {
      assertThat(manager.getMembers()).hasSize(1);
      Set<ObjectName> found =
          beans.queryNames(new ObjectName(DOMAIN + ":component=LocalTopologyManager,*"), null);
      assertThat(found).hasSize(1);
      ObjectName bean = found.iterator().next();
      assertThat(beans.getAttribute(bean, "rebalancingEnabled")).isEqualTo(true);
    }
  }

  private static JChannel channel() throws Exception {
    try (InputStream stack = InfinispanGrid.class.getResourceAsStream("canopy-stack.xml")) {
      JChannel channel = new JChannel(stack);
      channel.getProtocolStack().getTransport().setBindPort(FreePort.pick());
      return channel;
    }
  }
}
