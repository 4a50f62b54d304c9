package io.canopygrid.server.endpoint.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.codec.KeyRange;
import io.canopygrid.server.endpoint.TestClient;
import io.canopygrid.server.endpoint.netty.SteppedNode.Way;
import io.canopygrid.wire.client.ClientMessage;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.Step;
import io.canopygrid.wire.client.WireCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which requests the event loop answers itself, and which wait for a worker. */
final class ReadsAtHandTest {
  private static final byte[] KEY = {0, 0, 0, 7};
  private static final byte[] VALUE = {42};

  private final SteppedNode node =
      new SteppedNode(() -> {
        throw new AssertionError("no connection speaks TLS");
      });
  private final EmbeddedChannel channel = node.connect(Way.OPEN, UnpooledByteBufAllocator.DEFAULT);

  @BeforeEach
  void greet() {
    say(0, new Request.Hello(2, 2, 0, TestClient.CLIENT, "test"));
    Step write = TestClient.first(9, Step.Mode.UPDATE, new Step.Write(node.index(), KEY, VALUE));
    say(1, new Request.Commit(write, null, List.of()));
    work();
    assertThat(heard()).last().isInstanceOf(Reply.Done.class);
    assertThat(node.transactions()).isZero();
  }

  @AfterEach
  void stop() {
    channel.checkException();
    node.close();
  }

  private void say(int stream, ClientMessage message) {
    channel.writeInbound(Unpooled.copiedBuffer(WireCodec.encode(stream, message)));
  }

  private void work() {
    while (node.pool().step()) {
      channel.runPendingTasks();
    }
  }

  private List<ClientMessage> heard() {
    List<ClientMessage> messages = new ArrayList<>();
    for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
      while (next.isReadable()) {
        byte[] frame = new byte[next.readInt()];
        next.readBytes(frame);
        messages.add(WireCodec.decode(frame).message());
      }
      next.release();
    }
    return messages;
  }

  private Request get(Step step) {
    return new Request.Get(step, node.index(), KEY);
  }

  private static Step begin(Step.Mode mode) {
    return TestClient.first(1, mode);
  }

  private void assertAnsweredAtOnce() {
    assertThat(node.pool().waiting()).isZero();
    assertThat(heard())
        .singleElement()
        .isInstanceOfSatisfying(
            Reply.Value.class, value -> assertThat(value.value()).isEqualTo(VALUE));
  }

  @Test
  void aReaderBeginsReadsAndEndsWithoutAWorker() {
    say(1, get(begin(Step.Mode.READ_ONLY)));
    assertAnsweredAtOnce();
    say(2, get(TestClient.next(1)));
    assertAnsweredAtOnce();
    assertThat(node.transactions()).isEqualTo(1);
    say(3, new Request.End(1));
    assertThat(node.transactions()).isZero();
    assertThat(node.pool().waiting()).isZero();
  }

  @Test
  void aWriterReadsWithoutAWorkerAndCommitsWithOne() {
    say(1, get(begin(Step.Mode.UPDATE)));
    assertAnsweredAtOnce();
    Step write =
        new Step(1, null, List.of(new Step.Write(node.index(), KEY, new byte[] {43})), false);
    say(2, new Request.Commit(write, null, List.of()));
    assertThat(heard()).isEmpty();
    assertThat(node.pool().waiting()).isEqualTo(1);
    work();
    assertThat(heard()).singleElement().isInstanceOf(Reply.Done.class);
    assertThat(node.transactions()).isZero();
  }

  @Test
  void aReadBehindAnotherRequestOfItsTransactionWaitsForThat() {
    say(1, new Request.CountRange(begin(Step.Mode.UPDATE), node.index(), KeyRange.ALL));
    say(2, get(TestClient.next(1)));
    assertThat(heard()).isEmpty();
    work();
    assertThat(heard())
        .extracting(Object::getClass)
        .containsExactly(Reply.Count.class, Reply.Value.class);
    say(3, new Request.End(1));
    assertThat(node.pool().waiting()).as("a worker may have asked other nodes").isEqualTo(1);
    work();
    assertThat(node.transactions()).isZero();
  }

  @Test
  void aReadOfAnIndexThatIsNotThereIsAnsweredByAWorker() {
    say(1, new Request.Get(begin(Step.Mode.READ_ONLY), 4_711, KEY));
    assertThat(heard()).isEmpty();
    work();
    assertThat(heard()).singleElement().isInstanceOf(Reply.Failure.class);
    say(2, get(TestClient.next(1)));
    work();
    assertThat(heard()).singleElement().isInstanceOf(Reply.Value.class);
  }

  @Test
  void theLastReadEndsItsTransaction() {
    Step first = begin(Step.Mode.READ_ONLY);
    say(1, get(new Step(1, first.begin(), List.of(), true)));
    assertAnsweredAtOnce();
    assertThat(node.transactions()).isZero();
  }
}
