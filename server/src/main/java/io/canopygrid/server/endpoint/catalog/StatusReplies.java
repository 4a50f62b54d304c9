package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.btree.serve.DataFacts;
import io.canopygrid.btree.serve.GridMember;
import io.canopygrid.btree.serve.GridStatus;
import io.canopygrid.btree.serve.NodeFacts;
import io.canopygrid.btree.serve.ZoneFacts;
import io.canopygrid.wire.client.Reply;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says in the words of clients what state the grid is in. */
final class StatusReplies {
  private StatusReplies() {}

  /**
   * The answer to a client.
   *
   * @param clientAddresses where clients reach the nodes, by node
   */
  static Reply.Status of(GridStatus status, Map<String, String> clientAddresses) {
    List<Reply.NodeStatus> nodes =
        status.members().stream()
            .map(member -> node(member, clientAddresses.getOrDefault(member.member().node(), "")))
            .toList();
    List<Reply.IndexSize> indexes =
        status.indexes().stream()
            .map(index -> new Reply.IndexSize(index.name(), index.entries(), index.complete()))
            .toList();
    return new Reply.Status(
        status.node(),
        status.topology(),
        status.shards(),
        status.owners(),
        status.ready(),
        status.waiting(),
        nodes,
        indexes);
  }

  /** The same for where nodes keep their data. */
  static Reply.Disks of(List<DataFacts> data) {
    return new Reply.Disks(
        data.stream()
            .map(node ->
                new Reply.NodeDisk(
                    node.id(), node.durability(), node.totalBytes(), node.freeBytes()))
            .toList());
  }

  /** The same for where nodes are. */
  static Reply.Zones of(ZoneFacts facts) {
    return new Reply.Zones(
        facts.problem(),
        new TreeMap<>(facts.zones())
            .entrySet().stream()
                .map(node -> new Reply.NodeZone(node.getKey(), node.getValue()))
                .toList());
  }

  private static Reply.NodeStatus node(GridStatus.Node node, String clientAddress) {
    GridMember member = node.member();
    NodeFacts facts = node.facts();
    String address = member.address().equals("-") ? "" : member.address();
    return new Reply.NodeStatus(
        member.node(),
        member.name(),
        facts == null ? "" : facts.version(),
        clientAddress,
        address,
        member.reachable(),
        facts != null && facts.ready(),
        facts == null ? 0 : facts.upMillis(),
        facts == null ? 0 : facts.heapUsedBytes(),
        facts == null ? 0 : facts.heapMaxBytes(),
        member.primaryShards(),
        member.ownedShards());
  }
}
