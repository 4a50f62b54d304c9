package io.canopygrid.server.shell;

import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.wire.client.Reply;
import java.io.PrintWriter;

/** Prints the members of a cluster, as a table or JSON. */
final class MemberTable {
  private MemberTable() {}

  static void print(Reply.Cluster cluster, PrintWriter out, OutputFormat output) {
    Rows rows = new Rows(out, output, "node", "address", "primaries", "copies");
    for (Reply.Member member : cluster.members()) {
      rows.add(
          member.node(),
          member.address().isEmpty() ? null : member.address(),
          member.primaryShards(),
          member.ownedShards());
    }
    rows.end();
  }
}
