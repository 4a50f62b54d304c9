package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.StructureChange;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The requests that are written down, and in which words. No key of a user is in them. */
final class AuditedRequests {
  /** Longer than between two questions of one who waits for a node to leave. */
  private static final long LEAVE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final ServedNode node;

  // Guarded by this object.
  /** The last request to let a node leave that had to wait. */
  private Request.@Nullable Leave leaving;

  private long leavingNanos;

  AuditedRequests(ServedNode node) {
    this.node = node;
  }

  /** The change that a request asks for; null: it changes nothing that is written down. */
  AuditLog.@Nullable Change changeOf(Request request) {
    if (request instanceof Request.OpenIndex open) {
      return open.create() && !isThere(open.name())
          ? new AuditLog.Change("index.create", "creates index " + AuditLog.quoted(open.name()))
          : null;
    }
    if (request instanceof Request.Drop drop) {
      String what = drop.what() == Request.Dropped.TABLE ? "table" : "index";
      return new AuditLog.Change(
          what + ".drop", "drops " + what + " " + AuditLog.quoted(drop.name()));
    }
    if (request instanceof Request.Reshape reshape) {
      return change(reshape);
    }
    if (request instanceof Request.AskCutOff ask) {
      return ask.fix() ? change(ask) : null;
    }
    if (request instanceof Request.PutUser put) {
      return change(put);
    }
    if (request instanceof Request.RemoveUser remove) {
      return new AuditLog.Change("user.remove", "removes user " + AuditLog.quoted(remove.name()));
    }
    if (request instanceof Request.Leave leave) {
      String how = leave.abandons() ? ", whatever is lost" : "";
      return new AuditLog.Change(
          "node.leave", "lets node " + AuditLog.quoted(leave.node()) + " leave" + how);
    }
    if (request instanceof Request.TakeSnapshot take) {
      return new AuditLog.Change(
          "snapshot.create", "creates snapshot " + AuditLog.quoted(take.name()));
    }
    if (request instanceof Request.DropSnapshot drop) {
      return new AuditLog.Change("snapshot.drop", "drops snapshot " + AuditLog.quoted(drop.name()));
    }
    if (request instanceof Request.ResolvePrepared resolve) {
      return new AuditLog.Change(
          "tx.resolve",
          (resolve.commits() ? "commits" : "rolls back")
              + " prepared transaction "
              + AuditLog.quoted(resolve.id().toString())
              + " by hand");
    }
    return changeOfClones(request);
  }

  private static AuditLog.@Nullable Change changeOfClones(Request request) {
    if (request instanceof Request.MakeClone make) {
      return new AuditLog.Change(
          "index.clone",
          "creates index "
              + AuditLog.quoted(make.name())
              + " as a clone of index "
              + AuditLog.quoted(make.index()));
    }
    return request instanceof Request.FlattenClone flatten
        ? new AuditLog.Change("index.flatten", "flattens index " + AuditLog.quoted(flatten.name()))
        : null;
  }

  /**
   * Whether an answer says that something has changed: a count of 0 says that nothing has, but for
   * a node that is about to leave. Its leaving goes on by itself, and is asked for again and again
   * until it has ended.
   */
  boolean hasChanged(Request request, Reply reply) {
    if (reply instanceof Reply.Flattened step) {
      return step.isLast(); // all others are steps to it
    }
    if (!(reply instanceof Reply.Count count) || count.count() > 0) {
      return true;
    }
    return request instanceof Request.Leave leave && isFirst(leave);
  }

  private synchronized boolean isFirst(Request.Leave leave) {
    long now = System.nanoTime();
    boolean isFirst = !leave.equals(leaving) || now - leavingNanos > LEAVE_NANOS;
    leaving = leave;
    leavingNanos = now;
    return isFirst;
  }

  private boolean isThere(String name) {
    return node.indexes().stream().anyMatch(index -> index.name().equals(name));
  }

  private AuditLog.Change change(Request.Reshape reshape) {
    String to =
        reshape.kind() == StructureChange.Kind.MOVE
            ? " to node " + AuditLog.quoted(reshape.node())
            : "";
    String kind = reshape.kind().name().toLowerCase(Locale.ROOT);
    return new AuditLog.Change(
        "index." + kind, "asks to " + kind + " a subtree of " + nameOf(reshape.index()) + to);
  }

  private AuditLog.Change change(Request.AskCutOff ask) {
    String wanted =
        ask.subtreesPerNode() == 0 ? "as configured" : Integer.toString(ask.subtreesPerNode());
    return new AuditLog.Change(
        "index.cutoff", "sets the subtrees per node of " + nameOf(ask.index()) + ": " + wanted);
  }

  private static AuditLog.Change change(Request.PutUser put) {
    String grants =
        put.grants().stream()
            .map(grant ->
                grant.index().isEmpty()
                    ? grant.role()
                    : grant.role() + " of " + AuditLog.quoted(grant.index()))
            .collect(Collectors.joining(", "));
    String password = put.credential() == null ? "the old password" : "a new password";
    return new AuditLog.Change(
        "user.put",
        "puts user "
            + AuditLog.quoted(put.name())
            + " with "
            + password
            + ": "
            + (grants.isEmpty() ? "no rights" : grants));
  }

  /** The name of an index, which may have gone. */
  private String nameOf(int number) {
    List<IndexRef> indexes = node.indexes();
    return indexes.stream()
        .filter(index -> index.number() == number)
        .map(index -> "index " + AuditLog.quoted(index.name()))
        .findAny()
        .orElse("an index that is not there");
  }
}
