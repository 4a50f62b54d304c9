package io.canopygrid.wire.client;

import io.canopygrid.BranchId;
import io.canopygrid.GridId;
import io.canopygrid.StructureChange;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.wire.CommitId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message of a client. */
public sealed interface Request extends ClientMessage {
  /**
   * The first message of a connection, on stream 0; answered by {@link Reply.Welcome}.
   *
   * @param versionMin the lowest version of the protocol that the client speaks
   * @param versionMax the highest one
   * @param features bits of {@link WireLimits}; what it does not know a server ignores
   * @param client names this client for ever: 128 bits made at random when its handle was made, the
   *     same on all of its connections
   * @param software what it is, for logs; at most {@value WireLimits#NAME_MAX} bytes
   * @param grid the grid whose indexes, clocks and commits the client knows; a server of another
   *     one refuses it. Null: it knows of none, or speaks a version before {@value
   *     WireLimits#VERSION_OF_GRIDS}
   */
  record Hello(
      int versionMin,
      int versionMax,
      long features,
      UUID client,
      String software,
      @Nullable GridId grid)
      implements Request {
    /** The hello of a client that knows of no grid. */
    public Hello(int versionMin, int versionMax, long features, UUID client, String software) {
      this(versionMin, versionMax, features, client, software, null);
    }
  }

  /**
   * One step of a SASL exchange, on stream 0; answered by {@link Reply.Challenge}.
   *
   * @param mechanism one of {@link Reply.Welcome#mechanisms}; the same in all steps
   */
  record Authenticate(String mechanism, byte[] data) implements Request {}

  /**
   * Opens an index, answered by {@link Reply.IndexOpened}. The index's number means the same on all
   * connections to all servers of the grid, for ever.
   *
   * @param create whether to create it where it does not exist; else that is {@link
   *     io.canopygrid.ErrorCode#UNKNOWN_INDEX}, and codecs that are empty are not compared
   * @param subtreeEntriesMax used only when it is created, see {@link io.canopygrid.IndexOptions}
   */
  record OpenIndex(
      String name, String keyCodec, String valueCodec, boolean create, int subtreeEntriesMax)
      implements Request {}

  /**
   * Looks for the last index that had a name and was dropped; answered by {@link
   * Reply.IndexOpened}, or by {@link io.canopygrid.ErrorCode#UNKNOWN_INDEX} where there is none
   * that a snapshot in use may have. Only with {@link WireLimits#FEATURE_DROPS}, as is the next.
   */
  record FindDropped(String name) implements Request {}

  /**
   * Drops an index, or all indexes of a table; answered by {@link Reply.Count}: 1 where there was
   * something to drop, else 0. It can be sent again where the answer is lost: what is created later
   * has a greater number.
   *
   * @param name of the index or table
   * @param upTo the greatest number that the index may have; of a table, that the index of its
   *     definitions may have
   */
  record Drop(Dropped what, String name, int upTo) implements Request {}

  /** The thing that a {@link Drop} is about. */
  enum Dropped {
    /** An index that is not part of a table. */
    INDEX,
    /** A table with all of its indexes. */
    TABLE,
    /** The entries of a table's secondary index, which the table does not use any more. */
    ENTRIES
  }

  /** Asks for all indexes; answered by {@link Reply.Indexes}. */
  record ListIndexes() implements Request {}

  /** Takes a named snapshot; answered by {@link Reply.Snapshots} with the one. */
  record TakeSnapshot(String name) implements Request {}

  /** Asks for all named snapshots; answered by {@link Reply.Snapshots}. */
  record ListSnapshots() implements Request {}

  /** Drops a named snapshot; answered by {@link Reply.Count}: 1 where there was one, else 0. */
  record DropSnapshot(String name) implements Request {}

  /** Asks for the counts of the server's own node; answered by {@link Reply.Stats}. */
  record AskStats() implements Request {}

  /** Asks who is in the cluster; answered by {@link Reply.Cluster}. */
  record AskCluster() implements Request {}

  /**
   * Asks where the keys of an index are; answered by {@link Reply.Routes}.
   *
   * @param knownVersion the version of the map that the client has, 0 for none; where it is still
   *     the right one the answer is without routes
   */
  record AskRoutes(int index, long knownVersion) implements Request {}

  /**
   * Asks, at any server of the cluster, what became of a commit; answered by {@link Reply.Outcome}.
   */
  record LookUp(CommitId commit) implements Request {}

  /**
   * Adds a user or changes one; answered by {@link Reply.Done}. Only for administrators, as are the
   * next.
   *
   * @param credential what proves the user's password; null: that of a user that there is
   * @param grants all of the user's rights
   */
  record PutUser(String name, @Nullable Credential credential, List<Grant> grants)
      implements Request {
    /** Copies the list. */
    public PutUser {
      grants = List.copyOf(grants);
    }
  }

  /**
   * The record that a server keeps of a password (RFC 5802, section 3), for SCRAM-SHA-256.
   *
   * @param iterations at least 4096
   */
  record Credential(byte[] salt, int iterations, byte[] storedKey, byte[] serverKey) {}

  /**
   * A right.
   *
   * @param index the name of the index; empty: all of them
   * @param role {@code reader}, {@code writer}, and for all indexes also {@code admin}
   */
  record Grant(String index, String role) {}

  /** Asks what state the grid is in; answered by {@link Reply.Status}. */
  record AskStatus() implements Request {}

  /**
   * Asks where the nodes keep their data; answered by {@link Reply.Disks}. Only with {@link
   * WireLimits#FEATURE_DISKS}.
   */
  record AskDisks() implements Request {}

  /**
   * Asks in which zones nodes are; answered by {@link Reply.Zones}. Only with {@link
   * WireLimits#FEATURE_ZONES}.
   */
  record AskZones() implements Request {}

  /**
   * Asks which entries are hot; answered by {@link Reply.HotEntries}. Only with {@link
   * WireLimits#FEATURE_HOT}.
   *
   * @param index the number of an index; 0: all that the user may read
   */
  record AskHotEntries(int index) implements Request {}

  /**
   * Asks what takes long in the grid; answered by {@link Reply.Work}. Only with {@link
   * WireLimits#FEATURE_WORK}.
   */
  record AskWork() implements Request {}

  /**
   * Tells the server's node to leave the grid for good; answered within seconds by {@link
   * Reply.Count}: 0 where it still hands over, which asking again follows, 1 where it can be done
   * without and leaves now. Only for administrators, and with {@link WireLimits#FEATURE_LEAVE}.
   *
   * @param node the id or the name of the node, so that no other one leaves
   * @param abandons whether it leaves whatever is lost
   */
  record Leave(String node, boolean abandons) implements Request {}

  /** Removes a user; answered by {@link Reply.Count}: 1 where there was one, else 0. */
  record RemoveUser(String name) implements Request {}

  /** Asks for all users; answered by {@link Reply.Users}. */
  record ListUsers() implements Request {}

  /**
   * Runs a function of the server as one update transaction; answered by {@link Reply.Result}. The
   * server runs the function again after conflicts. If no answer comes, {@link LookUp} tells the
   * outcome of the call, and prevents the call if it has not happened. Then the call can be sent
   * again, under another name.
   *
   * @param begin how its transaction begins; it may write, and reads the present
   * @param attemptsMax how often it is run at most; at least 1
   * @param function the name under which the servers know it
   * @param place the entry that it was sent to the server of; null: none
   * @param arguments at most {@link io.canopygrid.Limits#ARGUMENT_BYTES_MAX} bytes
   * @param commit names its commit, for {@link LookUp} too
   * @param forget as in {@link Commit}
   */
  record Execute(
      Step.Begin begin,
      int attemptsMax,
      String function,
      @Nullable Place place,
      byte[] arguments,
      CommitId commit,
      List<CommitId> forget)
      implements Request {
    /** Copies the list. */
    public Execute {
      forget = List.copyOf(forget);
    }
  }

  /** A key of an index. */
  record Place(int index, byte[] key) {}

  /**
   * Asks how an index is cut; answered by {@link Reply.Subtrees}.
   *
   * @param from the key at or above which the first one begins
   * @param max most of them, at least 1
   */
  record AskSubtrees(int index, byte[] from, int max) implements Request {}

  /** Asks for the changes of an index's structure; answered by {@link Reply.Changes}. */
  record AskChanges(int index) implements Request {}

  /**
   * Asks how finely an index is cut, and may fix that; answered by {@link Reply.CutOffIs}.
   *
   * @param fix whether to change it; only for administrators
   * @param subtreesPerNode what it is fixed to; 0: it is as configured again
   */
  record AskCutOff(int index, boolean fix, int subtreesPerNode) implements Request {}

  /**
   * Changes an index's structure, and waits for the end of that; answered by {@link Reply.Changes}
   * with the one. Only for administrators.
   *
   * @param key where to split, or a key of the subtree to be merged or moved
   * @param node where it is to be moved to; else empty
   */
  record Reshape(int index, StructureChange.Kind kind, byte[] key, String node)
      implements Request {}

  /**
   * Asks for the next changes of an index, or opens a feed of them; answered by {@link
   * Reply.FeedChanges}. It may be sent again to any server: the changes after a clock are the same
   * ones, though they may be grouped in another way. Only with {@link WireLimits#FEATURE_FEEDS}.
   *
   * @param feed the feed that the last answer has named; 0: none. A server that has no such feed
   *     opens another one after the clock
   * @param range the keys whose changes are told
   * @param snapshot the snapshot after which the feed begins, as in {@link Step.Begin}; empty: it
   *     begins with a clock, or now
   * @param after what was told; null: the feed begins with the snapshot, or now
   * @param parts the parts of the group of transactions after that clock that the client has; 0: it
   *     wants the first one
   * @param bytesMax the bytes after which the answer ends, at most {@value
   *     WireLimits#PAGE_BYTES_MAX}; 0: the feed is only opened
   */
  record ReadChanges(
      long feed,
      int index,
      KeyRange range,
      String snapshot,
      @Nullable Told after,
      int parts,
      int bytesMax)
      implements Request {}

  /**
   * The position of a feed.
   *
   * @param grid the grid that the clock is of; null: it is not said, and the clock is empty
   * @param clock whole: it does not count as said on the connection
   */
  record Told(@Nullable GridId grid, VectorClock clock) {}

  /** Frees what a server keeps for a feed; has no answer. Does nothing where there is none. */
  record CloseFeed(long feed) implements Request {}

  /**
   * Makes a clone of an index; answered by {@link Reply.Clones} with the one. If the answer is lost
   * nobody knows whether there is a clone; sent again it finds {@link
   * io.canopygrid.ErrorCode#INDEX_EXISTS} then. Only with {@link WireLimits#FEATURE_CLONES}, as are
   * the next.
   *
   * @param name of the clone
   * @param index the name of its parent
   * @param snapshot the state of the parent, as in {@link Step.Begin}; empty: the present
   */
  record MakeClone(String name, String index, String snapshot) implements Request {}

  /** Asks for all clones; answered by {@link Reply.Clones}. */
  record ListClones() implements Request {}

  /**
   * Copies some of what a clone shares with its parents; answered by {@link Reply.Flattened}. It
   * may be sent again: what is copied is not copied twice.
   *
   * @param name of the clone; an index that is none needs no copying
   * @param number of the index, as the answer before has said; 0: whichever has the name
   */
  record FlattenClone(String name, int number) implements Request {}

  /**
   * Asks for all prepared transactions; answered by {@link Reply.Prepared}. Only with {@link
   * WireLimits#FEATURE_PREPARED}, as is the next.
   */
  record ListPrepared() implements Request {}

  /**
   * Decides a prepared transaction by hand; answered by {@link Reply.Count}: 1, or 0 where there is
   * none that is not decided.
   *
   * @param commits whether it is committed
   */
  record ResolvePrepared(BranchId id, boolean commits) implements Request {}

  /** A request within a transaction. */
  sealed interface InTransaction extends Request {
    /** The transaction, its beginning or end, and the writes before this request. */
    Step step();
  }

  /** Reads a key; answered by {@link Reply.Value}. */
  record Get(Step step, int index, byte[] key) implements InTransaction {}

  /**
   * Reads the list of a table's indexes for a transaction that is going to write rows of it;
   * answered by {@link Reply.Value}. The read is not validated. The commit is refused with {@link
   * io.canopygrid.ErrorCode#WRITE_CONFLICT} where rows that it writes have to be in an index that
   * is not in the list. Only with {@link WireLimits#FEATURE_SCHEMAS}.
   *
   * @param definitions the index of the table's definitions
   * @param rows the index of the table's rows
   */
  record GetDefinitions(Step step, int definitions, int rows) implements InTransaction {}

  /**
   * Opens a cursor, whose name is this request's stream; answered by {@link Reply.Page}s, as many
   * as there are credits.
   *
   * @param limit the most entries, {@link Long#MAX_VALUE} for no limit
   * @param keysOnly entries come with empty values
   * @param pageEntries at least 1: the most entries of a page
   * @param pageBytes a page ends with the entry with which it reaches so many bytes of keys and
   *     values; at most {@value WireLimits#PAGE_BYTES_MAX}
   * @param credits how many pages may be sent before the next {@link More}; at least 1
   */
  record Scan(
      Step step,
      int index,
      KeyRange range,
      boolean reverse,
      boolean keysOnly,
      long limit,
      int pageEntries,
      int pageBytes,
      int credits)
      implements InTransaction {}

  /**
   * Allows a cursor, that of this message's stream, to send further pages; it has no answer of its
   * own. After the cursor's end it does nothing, but its writes count all the same.
   */
  record More(Step step, int credits) implements InTransaction {}

  /** Ends a cursor, that of this message's stream, before its time; has no answer. */
  record CloseCursor() implements Request {}

  /** Counts the entries of a range; answered by {@link Reply.Count}. */
  record CountRange(Step step, int index, KeyRange range) implements InTransaction {}

  /** Removes the entries of a range, as a write; answered by {@link Reply.Count}: how many. */
  record RemoveRange(Step step, int index, KeyRange range) implements InTransaction {}

  /** Sends writes ahead, where there are many; answered by {@link Reply.Done}. */
  record Stage(Step step) implements InTransaction {}

  /**
   * Commits and ends the transaction, whether the commit succeeds or not; answered by {@link
   * Reply.Done}.
   *
   * @param commit names this commit for {@link LookUp}, and makes it safe to be sent again: one
   *     that has been committed is not committed a second time but answered "done". Null: it cannot
   *     be asked for. Not kept where the transaction writes nothing
   * @param forget commits of this client that were answered {@link Reply.Done}, were sent once only
   *     and so will never be asked for: what the cluster keeps of them is dropped
   */
  record Commit(Step step, @Nullable CommitId commit, List<CommitId> forget)
      implements InTransaction {
    /** Copies the list. */
    public Commit {
      forget = List.copyOf(forget);
    }
  }

  /** Ends a transaction without effect; has no answer. Does nothing where it has ended. */
  record End(int transaction) implements Request {}
}
