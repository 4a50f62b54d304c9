package io.canopygrid.wire.client;

import io.canopygrid.CanopyException;
import io.canopygrid.CanopyStats;
import io.canopygrid.CommitState;
import io.canopygrid.CutOff;
import io.canopygrid.Durability;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridInfo;
import io.canopygrid.IndexClone;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.CommitId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A message of a server. */
public sealed interface Reply extends ClientMessage {
  /**
   * Answers {@link Request.Hello}.
   *
   * @param version of the protocol, spoken from now on
   * @param features bits of {@link WireLimits} that both know
   * @param node the server's node; it changes when its process is started anew
   * @param cluster the name of its cluster
   * @param grid the grid that it is of, in which numbers of indexes, clocks and names of commits
   *     mean something
   * @param serverMillis the time of the grid, in which names of commits are made
   * @param shards how many shards the cluster has
   * @param limits what it allows on this connection
   * @param mechanisms of SASL, one of which is needed before any request; empty: none is
   */
  record Welcome(
      int version,
      long features,
      String node,
      String cluster,
      GridInfo grid,
      long serverMillis,
      int shards,
      Limits limits,
      List<String> mechanisms)
      implements Reply {
    /** Copies the list. */
    public Welcome {
      mechanisms = List.copyOf(mechanisms);
    }
  }

  /**
   * The limits of a server for one connection.
   *
   * @param frameBytesMax the length of a frame, without the four bytes of the length itself
   * @param requestsMax requests that wait for an answer; more are not read before some are answered
   * @param transactionsMax open transactions; more are {@link io.canopygrid.ErrorCode#OVERLOADED}
   * @param cursorsMax open cursors; the same
   * @param transactionBytesMax what one transaction may write; more is {@link
   *     io.canopygrid.ErrorCode#TRANSACTION_TOO_LARGE}
   * @param idleMillis a connection on which the client says nothing for so long is closed
   */
  record Limits(
      int frameBytesMax,
      int requestsMax,
      int transactionsMax,
      int cursorsMax,
      long transactionBytesMax,
      long idleMillis) {}

  /**
   * Answers {@link Request.Authenticate}.
   *
   * @param done whether the client is known now; else it goes on with another step
   */
  record Challenge(boolean done, byte[] data) implements Reply {}

  /**
   * The server is about to stop, said on stream 0: new transactions are refused as {@link
   * io.canopygrid.ErrorCode#NOT_CONNECTED}, those that are open can end.
   *
   * @param graceMillis how long it waits for them
   */
  record Drain(long graceMillis) implements Reply {}

  /** An index. */
  record IndexOpened(
      int index, String name, String keyCodec, String valueCodec, int subtreeEntriesMax)
      implements Reply {}

  /** All indexes by name. */
  record Indexes(List<IndexOpened> indexes) implements Reply {
    /** Copies the list. */
    public Indexes {
      indexes = List.copyOf(indexes);
    }
  }

  /** Named snapshots by name. */
  record Snapshots(List<NamedSnapshot> snapshots) implements Reply {
    /** Copies the list. */
    public Snapshots {
      snapshots = List.copyOf(snapshots);
    }
  }

  /** Clones by name. */
  record Clones(List<IndexClone> clones) implements Reply {
    /** Copies the list. */
    public Clones {
      clones = List.copyOf(clones);
    }
  }

  /**
   * Answers {@link Request.FlattenClone}.
   *
   * @param number of the index
   * @param copied how many entries it has copied
   * @param isLast whether all is copied, and the index is no clone any more
   */
  record Flattened(int number, long copied, boolean isLast) implements Reply {}

  /** Prepared transactions by id. */
  record Prepared(List<PreparedTransaction> transactions) implements Reply {
    /** Copies the list. */
    public Prepared {
      transactions = List.copyOf(transactions);
    }
  }

  /** The counts of the server's node. */
  record Stats(CanopyStats stats) implements Reply {}

  /** Users by name. */
  record Users(List<User> users) implements Reply {
    /** Copies the list. */
    public Users {
      users = List.copyOf(users);
    }
  }

  /** A user and what they may do. */
  record User(String name, List<Request.Grant> grants) {
    /** Copies the list. */
    public User {
      grants = List.copyOf(grants);
    }
  }

  /**
   * Subtrees of an index by key.
   *
   * @param end whether there are no more
   */
  record Subtrees(boolean end, List<Subtree> subtrees) implements Reply {
    /** Copies the list. */
    public Subtrees {
      subtrees = List.copyOf(subtrees);
    }
  }

  /** Changes of an index's structure by their beginning. */
  record Changes(List<StructureChange> changes) implements Reply {
    /** Copies the list. */
    public Changes {
      changes = List.copyOf(changes);
    }
  }

  /**
   * A part of the next group of an index's transactions. The group is told when all of its parts
   * are there, and the clock comes with the last one.
   *
   * @param feed the feed that the server keeps, to be named in the next request
   * @param first whether a group begins; parts of a group that the client has not got to the end of
   *     are void then
   * @param more whether the group goes on in another part
   * @param continued whether the first piece goes on with the last transaction of the part before
   * @param clock what is told with this group and all before; empty where there is more
   * @param pieces transactions, in an order in which each comes after all that it depends on: the
   *     bytes of each are a list of changes, as {@code io.canopygrid.engine.FeedCommitBytes} has
   *     them. The last one may go on in the next part
   */
  record FeedChanges(
      long feed,
      boolean first,
      boolean more,
      boolean continued,
      VectorClock clock,
      List<byte[]> pieces)
      implements Reply {
    /** Copies the list. */
    public FeedChanges {
      pieces = List.copyOf(pieces);
    }
  }

  /** The fineness of the cut of an index. */
  record CutOffIs(CutOff cutOff) implements Reply {}

  /** The members of the cluster, oldest first. */
  record Cluster(long topology, List<Member> members) implements Reply {
    /** Copies the list. */
    public Cluster {
      members = List.copyOf(members);
    }
  }

  /**
   * A node.
   *
   * @param address where clients reach it, {@code host:port}; empty: not known, or not at all
   * @param primaryShards how many shards it is the primary of
   * @param ownedShards how many it has a copy of
   */
  record Member(String node, String address, int primaryShards, int ownedShards) {}

  /**
   * The state of the grid as one node sees it now.
   *
   * @param node the node that sees it
   * @param topology the number of the topology that it installed last
   * @param shards of the grid
   * @param owners how many copies each shard is to have
   * @param ready whether that node serves
   * @param waiting how many nodes that can be reached are no members
   * @param nodes the members, oldest first
   * @param indexes by name
   */
  record Status(
      String node,
      long topology,
      int shards,
      int owners,
      boolean ready,
      int waiting,
      List<NodeStatus> nodes,
      List<IndexSize> indexes)
      implements Reply {
    /** Copies the lists. */
    public Status {
      nodes = List.copyOf(nodes);
      indexes = List.copyOf(indexes);
    }
  }

  /**
   * A member of the grid. A value that it did not tell is empty or 0.
   *
   * @param name for people
   * @param version of its release; {@code -}: it is no server; empty: it does not answer
   * @param clientAddress where clients reach it, {@code host:port}; empty: not known
   * @param nodeAddress where nodes reach it; empty: not known
   * @param reachable whether it is there now
   * @param ready whether it serves
   * @param upMillis for how long it has served
   * @param primaryShards how many shards it is the primary of, as long as it is reachable
   * @param ownedShards how many it has a copy of, as long as it is reachable
   */
  record NodeStatus(
      String node,
      String name,
      String version,
      String clientAddress,
      String nodeAddress,
      boolean reachable,
      boolean ready,
      long upMillis,
      long heapUsedBytes,
      long heapMaxBytes,
      int primaryShards,
      int ownedShards) {}

  /**
   * The zones of nodes.
   *
   * @param problem that two copies of a shard are in one zone, and why, in words; empty: none are,
   *     or no node says where it is
   * @param nodes those members that say where they are
   */
  record Zones(String problem, List<NodeZone> nodes) implements Reply {
    /** Copies the list. */
    public Zones {
      nodes = List.copyOf(nodes);
    }
  }

  /** The zone of one node. */
  record NodeZone(String node, String zone) {}

  /**
   * The hot entries.
   *
   * @param nodes the members that have told them
   * @param entries those of indexes that the user may read, the most read first
   * @param hidden how many others there are
   */
  record HotEntries(List<HotNode> nodes, List<HotEntry> entries, int hidden) implements Reply {
    /** Copies the lists. */
    public HotEntries {
      nodes = List.copyOf(nodes);
      entries = List.copyOf(entries);
    }
  }

  /**
   * The things that take long.
   *
   * @param jobs of clients, under way, that the user may see
   * @param heldMillis how old the state is that {@code holder} keeps; 0: there is none
   * @param holder what holds the horizon back, but for the configured retention, in words
   */
  record Work(List<RunningJob> jobs, long heldMillis, String holder) implements Reply {
    /** Copies the list. */
    public Work {
      jobs = List.copyOf(jobs);
    }
  }

  /** The places of the data of the members that have told them, in no order. */
  record Disks(List<NodeDisk> nodes) implements Reply {
    /** Copies the list. */
    public Disks {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The place of a node's data.
   *
   * @param durability of what it has on disk; null: it has its data in memory only
   * @param totalBytes the size of the file system of its data directory; 0: not known, or none
   * @param freeBytes of these, that it may still use
   */
  record NodeDisk(String node, @Nullable Durability durability, long totalBytes, long freeBytes) {}

  /**
   * The size of an index.
   *
   * @param entries as far as nodes tell them
   * @param complete whether no part is missing
   */
  record IndexSize(String name, long entries, boolean complete) {}

  /**
   * The places of the keys of an index.
   *
   * @param version of this map, never 0
   * @param routes by key, the first from the empty key on; none where the client's map is right
   */
  record Routes(long version, List<String> addresses, List<Route> routes) implements Reply {
    /** Copies the lists. */
    public Routes {
      addresses = List.copyOf(addresses);
      routes = List.copyOf(routes);
    }
  }

  /**
   * The keys from {@code from} to the next route's.
   *
   * @param address which of {@link Routes#addresses} has them
   * @param shard the shard they are in, for {@link CommitId#shard}
   */
  record Route(byte[] from, int address, int shard) {}

  /**
   * The outcome of a commit.
   *
   * @param state NOT_COMMITTED: and it will not be, whatever is still under way. UNKNOWN: it cannot
   *     be told now, or not any more
   * @param seen where it is committed: what one must see to see it
   * @param result of the function where it was {@link Request.Execute} and is committed; else null
   */
  record Outcome(CommitState state, VectorClock seen, byte @Nullable [] result) implements Reply {}

  /** The answer to a request within a transaction. */
  sealed interface InTransaction extends Reply {
    /** The part that every answer has. */
    Seen seen();
  }

  /**
   * The part that every answer within a transaction has.
   *
   * @param moved the map that the client routed by is not right: another server has the key
   * @param clock what the transaction has seen beyond all that was said on this connection before
   *     ({@link SeenClock}); its causal token is the join of both
   */
  record Seen(boolean moved, VectorClock clock) {
    /** Nothing new. */
    public static final Seen NOTHING = new Seen(false, VectorClock.ZERO);
  }

  /** Answers {@link Request.Get}; null: the key is not there. */
  record Value(Seen seen, byte @Nullable [] value) implements InTransaction {}

  /**
   * Entries of a cursor, in its direction.
   *
   * @param end there are no more
   */
  record Page(Seen seen, boolean end, List<Entry> entries) implements InTransaction {
    /** Copies the list. */
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** A key and its value, which has no bytes where only keys were asked for. */
  record Entry(byte[] key, byte[] value) {}

  /** A number of entries. */
  record Count(Seen seen, long count) implements InTransaction {}

  /** The request is done. */
  record Done(Seen seen) implements InTransaction {}

  /**
   * Answers {@link Request.Execute}.
   *
   * @param result of the function
   * @param remoteRequests how many requests to other servers it took
   */
  record Result(Seen seen, byte[] result, int remoteRequests) implements InTransaction {}

  /**
   * The request failed. A transaction stays open where an error is of a single request, but {@link
   * Request.Commit} ends it in any case, as does {@link Step#last}.
   *
   * @param code the number, as in CNPY-2001
   * @param retryable as of {@link CanopyException#retryable}
   * @param commitState what became of the transaction's writes
   * @param transactionId names the transaction in the server's log, null outside of one
   * @param detail what happened, in words
   * @param facts the parts of the detail for programs, in a fixed order of names
   */
  record Failure(
      int code,
      boolean retryable,
      CommitState commitState,
      @Nullable String transactionId,
      String detail,
      List<Fact> facts)
      implements Reply {
    /** Copies the list. */
    public Failure {
      facts = List.copyOf(facts);
    }

    /** An error as a message. */
    public static Failure of(CanopyException e) {
      List<Fact> facts =
          e.facts().entrySet().stream().map(f -> new Fact(f.getKey(), f.getValue())).toList();
      return new Failure(
          e.code().number(), e.retryable(), e.commitState(), e.transactionId(), e.detail(), facts);
    }

    /** The error; a code that a newer release has is {@link ErrorCode#INTERNAL_ERROR} here. */
    public CanopyException toException() {
      Optional<ErrorCode> known = ErrorCode.find(Integer.toString(code));
      Map<String, String> parts = new TreeMap<>();
      facts.forEach(fact -> parts.put(fact.name(), fact.value()));
      return new CanopyException(
          known.orElse(ErrorCode.INTERNAL_ERROR),
          known.isPresent() ? detail : "CNPY-" + code + ": " + detail,
          commitState,
          transactionId,
          null,
          parts);
    }
  }

  /**
   * A part of an error, such as {@code index}, {@code key}, {@code other} (the other transaction's
   * label).
   */
  record Fact(String name, String value) {}
}
