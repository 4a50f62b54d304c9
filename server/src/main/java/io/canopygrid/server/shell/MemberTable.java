package io.canopygrid.server.shell;

import io.canopygrid.GridInfo;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.wire.client.Reply;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Prints the members of a cluster as a table, and its grid; in JSON each member has the grid. */
final class MemberTable {
  private MemberTable() {}

  static void print(RemoteCanopy db, PrintWriter out, OutputFormat output) {
    Reply.Cluster cluster = db.cluster();
    GridInfo grid = db.grid();
    if (output == OutputFormat.JSON) {
      Rows rows =
          new Rows(out, output, "node", "address", "primaries", "copies", "grid", "founded");
      for (Reply.Member member : cluster.members()) {
        rows.add(
            member.node(),
            address(member),
            member.primaryShards(),
            member.ownedShards(),
            grid.id().toString(),
            grid.founded().toString());
      }
      rows.end();
      return;
    }
    Rows rows = new Rows(out, output, "node", "address", "primaries", "copies");
    for (Reply.Member member : cluster.members()) {
      rows.add(member.node(), address(member), member.primaryShards(), member.ownedShards());
    }
    rows.end();
    out.println(grid + ", " + age(Duration.between(grid.founded(), Instant.now())));
    out.flush();
  }

  private static @Nullable String address(Reply.Member member) {
    return member.address().isEmpty() ? null : member.address();
  }

  /** The age of a grid by this machine's clock, in words. */
  static String age(Duration time) {
    if (time.isNegative() || time.toMinutes() == 0) {
      return "just now";
    }
    if (time.toHours() == 0) {
      return time.toMinutes() + " min ago";
    }
    return time.toDays() == 0 ? time.toHours() + " h ago" : time.toDays() + " d ago";
  }
}
