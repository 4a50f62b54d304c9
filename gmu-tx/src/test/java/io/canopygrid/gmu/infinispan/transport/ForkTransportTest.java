package io.canopygrid.gmu.infinispan.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ForkTransportTest {
  private final List<Set<NodeId>> seen = new ArrayList<>();
  private final Address other = UUID.randomUUID();
  private JChannel channel;
  private ForkTransport transport;

  @BeforeEach
  void connect() throws Exception {
    channel = new JChannel(Util.getTestStack()).connect("views");
    transport = new ForkTransport(channel, "test");
    transport.start(new Seeing());
  }

  @AfterEach
  void close() {
    transport.close();
    channel.close();
  }

  private NodeId self() {
    return NodeIds.of(channel.getAddress());
  }

  private View view(long id, Address... members) {
    return View.create(channel.getAddress(), id, members);
  }

  /** As where a fork connects while the channel gets a new member. */
  @Test
  void aViewThatComesLateIsLeftOut() {
    transport.viewAccepted(view(5, channel.getAddress(), other));
    transport.viewAccepted(view(4, channel.getAddress()));
    assertThat(transport.others()).containsExactly(NodeIds.of(other));
    assertThat(seen).containsExactly(Set.of(self()), Set.of(self(), NodeIds.of(other)));
  }

  @Test
  void aNewerViewCounts() {
    transport.viewAccepted(view(5, channel.getAddress(), other));
    transport.viewAccepted(view(6, channel.getAddress()));
    assertThat(transport.others()).isEmpty();
    assertThat(seen).last().isEqualTo(Set.of(self()));
  }

  private final class Seeing implements TransportListener {
    @Override
    public void enter(Runnable work) {
      work.run();
    }

    @Override
    public void viewChanged(Set<NodeId> present) {
      seen.add(present);
    }

    @Override
    public void received(NodeId source, Message message, int bytes) {}

    @Override
    public void hostMessage(NodeId source, byte[] bytes, int offset, int length) {}

    @Override
    public Set<NodeId> members() {
      return Set.of();
    }
  }
}
