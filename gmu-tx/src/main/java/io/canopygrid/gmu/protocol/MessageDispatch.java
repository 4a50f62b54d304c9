package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.message.Message;
import io.canopygrid.gmu.message.Message.Ack;
import io.canopygrid.gmu.message.Message.Decide;
import io.canopygrid.gmu.message.Message.Flush;
import io.canopygrid.gmu.message.Message.FlushDone;
import io.canopygrid.gmu.message.Message.Horizon;
import io.canopygrid.gmu.message.Message.HorizonReport;
import io.canopygrid.gmu.message.Message.HotAsk;
import io.canopygrid.gmu.message.Message.HotPush;
import io.canopygrid.gmu.message.Message.HotServed;
import io.canopygrid.gmu.message.Message.InTopology;
import io.canopygrid.gmu.message.Message.LowWaterMark;
import io.canopygrid.gmu.message.Message.NumbersAsked;
import io.canopygrid.gmu.message.Message.NumbersTold;
import io.canopygrid.gmu.message.Message.Prepare;
import io.canopygrid.gmu.message.Message.Read;
import io.canopygrid.gmu.message.Message.ReadReply;
import io.canopygrid.gmu.message.Message.State;
import io.canopygrid.gmu.message.Message.StateRequest;
import io.canopygrid.gmu.message.Message.TurnEnded;
import io.canopygrid.gmu.message.Message.Vote;
import io.canopygrid.gmu.message.Message.Watermarks;
import io.canopygrid.gmu.protocol.Outbox.Envelope;

/** Says which role handles which message, and which messages wait for a topology. */
final class MessageDispatch {
  private final NodeState node;
  private final Roles roles;
  private final TopologyChanges topologies;

  MessageDispatch(NodeState node, Roles roles, TopologyChanges topologies) {
    this.node = node;
    this.roles = roles;
    this.topologies = topologies;
  }

  /**
   * A message of a newer topology waits until that is installed. One of an older topology is
   * dropped: its sender sends it again when it installs ours; only a prepare is refused, and not
   * sent again, since the new primary may wait for that very transaction.
   */
  void dispatch(Envelope envelope) {
    if (envelope.message() instanceof InTopology bound) {
      long installed = node.placements().id();
      if (bound.topology() > installed) {
        node.outbox().defer(envelope);
      } else if (bound.topology() == installed) {
        handleBound(envelope.source(), bound);
      } else if (bound instanceof Prepare prepare) {
        roles.prepares.refuseOutdated(prepare.record());
      }
    } else {
      handle(envelope.source(), envelope.message());
    }
  }

  private void handleBound(NodeId source, InTopology message) {
    if (message instanceof Read read) {
      roles.replicas.held(read.shard()).onRead(source, read);
    } else if (message instanceof TurnEnded ended) {
      roles.replicas.held(ended.shard()).onTurnEnded(source, ended);
    } else if (message instanceof Prepare prepare) {
      roles.prepares.onPrepare(prepare.record());
    } else if (message instanceof Decide decide) {
      roles.replicas.onDecide(source, decide);
    } else if (message instanceof StateRequest request) {
      roles.replicas.held(request.shard()).onStateRequest(source, request);
    } else if (message instanceof Flush other) {
      topologies.onFlush(source, other);
    } else if (message instanceof FlushDone) {
      topologies.onFlushDone(source);
    } else if (message instanceof LowWaterMark mark) {
      node.decisions().onLowWaterMark(source, mark.below());
      node.disks().heard(source, mark.disk());
    } else if (message instanceof Watermarks told) {
      told.shards().forEach(w -> roles.replicas.held(w.shard()).onWatermark(w.number()));
    } else if (message instanceof NumbersAsked asked) {
      roles.clocks.onAsked(source, asked);
    } else if (message instanceof HorizonReport report) {
      roles.garbage.onReport(source, report);
    } else {
      handleHot(source, message);
    }
  }

  private void handleHot(NodeId source, InTopology message) {
    if (message instanceof HotPush push) {
      roles.hot.onPush(source, push);
    } else if (message instanceof HotAsk ask) {
      roles.hot.onAsk(source, ask);
    } else {
      roles.hot.onServed(source, (HotServed) message);
    }
  }

  private void handle(NodeId source, Message message) {
    if (message instanceof ReadReply reply) {
      roles.transactions.onReadReply(source, reply);
    } else if (message instanceof Vote vote) {
      onVote(source, vote);
    } else if (message instanceof Ack ack) {
      onAck(source, ack);
    } else if (message instanceof State chunk) {
      Participant replica = roles.replicas.get(chunk.shard());
      if (replica != null) {
        replica.incoming().onState(chunk);
      }
    } else if (message instanceof NumbersTold told) {
      roles.clocks.onTold(told);
    } else {
      roles.garbage.onHorizon(source, (Horizon) message);
    }
  }

  private void onVote(NodeId source, Vote vote) {
    if (isCoordinatedHere(vote.tid())) {
      roles.coordinator.onVote(source, vote);
    } else {
      roles.delegated.onVote(source, vote);
    }
  }

  private void onAck(NodeId source, Ack ack) {
    if (isCoordinatedHere(ack.tid())) {
      roles.coordinator.onAck(source, ack);
    } else {
      roles.delegated.onAck(source, ack);
    }
  }

  private boolean isCoordinatedHere(TxId tid) {
    return tid.coordinator().equals(node.self());
  }
}
