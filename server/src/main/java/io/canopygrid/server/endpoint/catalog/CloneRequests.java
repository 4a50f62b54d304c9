package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.CloneSource;
import io.canopygrid.IndexClone;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.engine.FlattenStep;
import io.canopygrid.engine.TablePart;
import io.canopygrid.names.IndexNames;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.jobs.FlattenJobs;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the requests about clones. A user may clone what they may read, under a name that
 * they may create. Thread-safe; may block.
 */
final class CloneRequests {
  private final ServedNode node;
  private final FlattenJobs jobs;

  CloneRequests(ServedNode node, FlattenJobs jobs) {
    this.node = node;
    this.jobs = jobs;
  }

  /** The answer to a request; null: the request is about something else. */
  @Nullable Reply answer(Request request, Access access, String client) {
    if (request instanceof Request.MakeClone make) {
      return new Reply.Clones(List.of(make(make, access)));
    }
    if (request instanceof Request.ListClones) {
      access.check(Right.READ, "");
      return new Reply.Clones(node.engine().clones());
    }
    if (request instanceof Request.FlattenClone flatten) {
      String name = IndexNames.checked(flatten.name());
      access.check(Right.WRITE, name);
      TablePart.check(name);
      FlattenStep step =
          jobs.step(name, client, () -> node.engine().flatten(name, flatten.number()));
      return new Reply.Flattened(step.number(), step.copied(), step.isLast());
    }
    return null;
  }

  private IndexClone make(Request.MakeClone make, Access access) {
    String name = IndexNames.checked(make.name());
    String index = IndexNames.checked(make.index());
    access.check(Right.READ, index);
    access.check(Right.WRITE, name);
    TablePart.check(name);
    TablePart.check(index);
    return node.engine().cloneIndex(name, source(index, make.snapshot()));
  }

  private static CloneSource source(String index, String snapshot) {
    CloneSource source = CloneSource.of(index);
    return snapshot.isEmpty() ? source : source.at(SnapshotNames.checkedState(snapshot));
  }
}
