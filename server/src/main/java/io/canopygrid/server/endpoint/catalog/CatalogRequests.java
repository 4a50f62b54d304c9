package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexOptions;
import io.canopygrid.Limits;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.ledger.CommitOutcome;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.engine.PreparedTransactions.Decided;
import io.canopygrid.engine.PreparedTransactions.Ending;
import io.canopygrid.names.IndexNames;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.access.UserDirectory;
import io.canopygrid.server.endpoint.jobs.ServerJobs;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;

/** Carries out the requests outside of transactions. Thread-safe; may block. */
public final class CatalogRequests {
  private final ServedNode node;
  private final ClientAddresses addresses;
  private final RouteMaps routes;
  private final UserDirectory users;
  private final StructureRequests structures;
  private final DropRequests drops;
  private final CloneRequests clones;
  private final WorkRequests work;
  private final AuditLog audit;
  private final AuditedRequests audited;

  /** Creates the requests' service of one node. */
  public CatalogRequests(
      ServedNode node,
      ClientAddresses addresses,
      UserDirectory users,
      AuditLog audit,
      ServerJobs jobs) {
    this.users = users;
    this.audit = audit;
    this.audited = new AuditedRequests(node);
    this.node = node;
    this.addresses = addresses;
    this.routes = new RouteMaps(node, addresses);
    this.structures = new StructureRequests(node);
    this.drops = new DropRequests(node);
    this.clones = new CloneRequests(node, jobs.flattening());
    this.work = new WorkRequests(node, jobs);
  }

  /**
   * The answer to a request.
   *
   * @param client the user and address
   * @throws CanopyException if the request is wrong, forbidden or fails
   */
  public Reply answer(Request request, Access access, String client) {
    AuditLog.Change change = audit.isKept() ? audited.changeOf(request) : null;
    return change == null
        ? answerTo(request, access, client)
        : audit.change(
            client,
            change,
            () -> answerTo(request, access, client),
            answer -> audited.hasChanged(request, answer));
  }

  private Reply answerTo(Request request, Access access, String client) {
    if (request instanceof Request.OpenIndex open) {
      return IndexReplies.of(open(open, access));
    }
    if (request instanceof Request.AskRoutes ask) {
      IndexRef index = node.index(ask.index());
      access.check(Right.READ, index.name());
      return routes.of(index, ask.knownVersion());
    }
    if (request instanceof Request.LookUp lookUp) {
      return outcome(node.commits().lookUp(lookUp.commit()));
    }
    if (request instanceof Request.ListIndexes) {
      access.check(Right.READ, "");
      return new Reply.Indexes(node.indexes().stream().map(IndexReplies::of).toList());
    }
    if (request instanceof Request.AskStats) {
      access.check(Right.READ, "");
      return new Reply.Stats(node.stats());
    }
    if (request instanceof Request.AskCluster) {
      access.check(Right.READ, "");
      return new Reply.Cluster(
          node.topology(), node.members().stream().map(addresses::withAddress).toList());
    }
    if (request instanceof Request.AskStatus) {
      access.check(Right.READ, "");
      return StatusReplies.of(node.status(), addresses.byNode());
    }
    if (request instanceof Request.AskDisks) {
      access.check(Right.READ, "");
      return StatusReplies.of(node.data());
    }
    if (request instanceof Request.AskZones) {
      access.check(Right.READ, "");
      return StatusReplies.of(node.zones());
    }
    if (request instanceof Request.ListPrepared) {
      access.check(Right.ADMIN, "");
      return new Reply.Prepared(node.engine().prepared().list());
    }
    if (request instanceof Request.ResolvePrepared resolve) {
      access.check(Right.ADMIN, "");
      Decided decided = node.engine().prepared().resolve(resolve.id(), resolve.commits());
      return new Reply.Count(Reply.Seen.NOTHING, decided.ending() == Ending.DONE ? 1 : 0);
    }
    if (request instanceof Request.Leave leave) {
      access.check(Right.ADMIN, "");
      boolean leaves = node.leave(leave.node(), leave.abandons());
      return new Reply.Count(Reply.Seen.NOTHING, leaves ? 1 : 0);
    }
    if (request instanceof Request.PutUser put) {
      access.check(Right.ADMIN, "");
      users.put(put);
      return new Reply.Done(Reply.Seen.NOTHING);
    }
    if (request instanceof Request.RemoveUser remove) {
      access.check(Right.ADMIN, "");
      return new Reply.Count(Reply.Seen.NOTHING, users.remove(remove.name()) ? 1 : 0);
    }
    if (request instanceof Request.ListUsers) {
      access.check(Right.ADMIN, "");
      return new Reply.Users(users.list());
    }
    Reply structure = structures.answer(request, access);
    Reply drop = structure == null ? drops.answer(request, access) : structure;
    Reply clone = drop == null ? clones.answer(request, access, client) : drop;
    Reply told = clone == null ? work.answer(request, access) : clone;
    return told == null ? snapshots(request, access) : told;
  }

  private Reply snapshots(Request request, Access access) {
    if (request instanceof Request.TakeSnapshot take) {
      access.check(Right.ADMIN, "");
      return new Reply.Snapshots(List.of(node.engine().snapshot(take.name())));
    }
    if (request instanceof Request.DropSnapshot drop) {
      access.check(Right.ADMIN, "");
      return new Reply.Count(Reply.Seen.NOTHING, node.engine().dropSnapshot(drop.name()) ? 1 : 0);
    }
    if (request instanceof Request.ListSnapshots) {
      access.check(Right.READ, "");
      return new Reply.Snapshots(node.engine().snapshots());
    }
    throw new CanopyException(
        ErrorCode.PROTOCOL_ERROR, "not a request: " + request.getClass().getSimpleName());
  }

  private static Reply.Outcome outcome(CommitOutcome outcome) {
    boolean committed = outcome.state() == CommitState.COMMITTED;
    return new Reply.Outcome(outcome.state(), outcome.seen(), committed ? outcome.result() : null);
  }

  private IndexRef open(Request.OpenIndex open, Access access) {
    IndexNames.checked(open.name());
    access.check(Right.READ, open.name());
    if (!open.create()) {
      return found(open);
    }
    checkCodec(open.name(), open.keyCodec());
    checkCodec(open.name(), open.valueCodec());
    IndexOptions options = new IndexOptions(open.subtreeEntriesMax());
    if (node.indexes().stream().noneMatch(index -> index.name().equals(open.name()))) {
      access.check(Right.WRITE, open.name());
    }
    return node.open(open.name(), open.keyCodec(), open.valueCodec(), options);
  }

  private IndexRef found(Request.OpenIndex open) {
    IndexRef index = node.find(open.name());
    return open.keyCodec().isEmpty() && open.valueCodec().isEmpty()
        ? index
        : node.open(open.name(), open.keyCodec(), open.valueCodec(), IndexOptions.DEFAULTS);
  }

  private static void checkCodec(String index, String id) {
    if (id.isEmpty() || id.length() > Limits.CODEC_ID_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "index '" + index + "': a codec's id has 1 to " + Limits.CODEC_ID_MAX + " characters");
    }
  }
}
