package io.canopygrid;

import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of errors, the same in the exception, the log line, on the wire and in the
 * documentation, where one is written {@code CNPY-2001 WRITE_CONFLICT}. Numbers are never reused.
 *
 * <p>Groups: 2xxx a transaction did not end well, 3xxx the request is wrong, 4xxx the cluster
 * cannot be used, 5xxx the configuration or the disk of a node is wrong, 9xxx Canopy itself is
 * wrong.
 */
public enum ErrorCode {
  /** Something read has changed since; the detail says index, key and the other's label. */
  WRITE_CONFLICT(2001, true, "Run the transaction again; run, call and read do so themselves."),
  /** A lock was not free in time. */
  LOCK_TIMEOUT(2002, true, "Run the transaction again; make transactions on these keys shorter."),
  /** The outcome of a commit could not be learned from the cluster. */
  COMMIT_UNKNOWN(
      2003,
      true,
      CommitState.UNKNOWN,
      "Read what it would have written to see if it took effect; repeat it only if applying it"
          + " twice does no harm."),
  /** Every attempt ended in a conflict; the last one is attached as the cause. */
  RETRIES_EXHAUSTED(
      2004,
      false,
      "Write to fewer contended keys per transaction, or raise maxAttempts and timeout."),
  /** The snapshot is older than the versions that are retained. */
  SNAPSHOT_TOO_OLD(
      2005,
      true,
      "Begin a new transaction that ends within cluster.snapshotAgeMax, or read a named snapshot."),
  /** The transaction, or a view or cursor of it, was used after its end. */
  TRANSACTION_CLOSED(2006, false, "Use a transaction, its views and cursors only until it ends."),
  /** The transaction's time was over; with state UNKNOWN when that was during the commit. */
  TIMEOUT(2007, true, "Raise TransactionOptions.timeout, or do less in one transaction."),
  /** The waiting thread was interrupted. */
  INTERRUPTED(2008, false, "Let the thread end, or run the transaction again on another one."),
  /** A write of several entries failed half way, and its error was caught: nothing commits. */
  ROLLBACK_ONLY(
      2009, false, "Let the error of the write end the transaction, or run one without the write."),
  /** A power cut took commits that the session or token may have seen; told once, see the guide. */
  COMMITS_LOST(
      2010,
      false,
      "Read again what was written before, and redo what is missing; drop the token that was"
          + " passed."),
  /** Changes that a feed has not told yet are not kept any more. */
  CHANGES_LOST(
      2011,
      false,
      "Copy the index anew and open a feed from now; raise cluster.retention, so that more changes"
          + " are kept."),

  /** An insert found its key present. */
  KEY_EXISTS(3001, false, "Use put to overwrite, or putIfAbsent to keep what is there."),
  /** The index was created with other codecs. */
  CODEC_MISMATCH(
      3002, false, "Open the index with the codecs it was created with, or use another name."),
  /** An encoded key is longer than {@link Limits#KEY_BYTES_MAX}. */
  KEY_TOO_LARGE(3003, false, "Shorten the key, or move its long part into the value."),
  /** An encoded value is longer than {@link Limits#VALUE_BYTES_MAX}. */
  VALUE_TOO_LARGE(3004, false, "Split the value over several keys."),
  /** A key, value, bound or other argument was null. */
  NULL_NOT_ALLOWED(3005, false, "Pass a value; use remove to take a key away."),
  /** There is no index of this name. */
  UNKNOWN_INDEX(3006, false, "Check the name against Canopy.indexes, or create the index first."),
  /** An index name that is not allowed. */
  INVALID_INDEX_NAME(
      3007,
      false,
      "Use 1 to 128 letters, digits, '.', '_' or '-' of ASCII, beginning with a letter."),
  /** An argument is out of its range, or a call does not fit the state. */
  INVALID_ARGUMENT(3008, false, "Pass what the documentation allows."),
  /** An index was used with a Canopy handle that it is not from. */
  FOREIGN_INDEX(3009, false, "Use the Index that Canopy.index of the same handle returned."),
  /** A transaction was begun inside the body of another one on the same thread. */
  NESTED_TRANSACTION(
      3010, false, "Pass the outer transaction on, or begin the other one after its end."),
  /** A codec could not encode a value or decode stored bytes; the detail says why. */
  CODEC_FAILURE(
      3011, false, "Check that the value fits the codec, and that nobody else writes the bytes."),
  /** The bytes of a causal or resume token are not one, or the token is of another grid. */
  INVALID_TOKEN(3012, false, "Pass the token exactly as Canopy returned it, to the grid it is of."),
  /** A snapshot of this name was taken before. */
  SNAPSHOT_EXISTS(3013, false, "Use another name, or drop the snapshot first."),
  /** There is no snapshot of this name. */
  UNKNOWN_SNAPSHOT(
      3014,
      false,
      "Check the name against Canopy.snapshots; it may be dropped. For a time: raise cluster.retention."),
  /** A transaction wrote more than a server keeps for one. */
  TRANSACTION_TOO_LARGE(3015, false, "Split it into several transactions, or raise the limit."),

  /** The node that was to run a function has none of this name. */
  UNKNOWN_FUNCTION(
      3016, false, "Register the function at every node; servers load theirs from --functions."),
  /** A function threw an exception of its own; the detail has its text. */
  FUNCTION_FAILED(3017, false, "Correct the function or its arguments; nothing was committed."),

  /** A table has an index that this handle knows not at all, or differently. */
  DEFINITION_MISMATCH(
      3018, false, "Open the table with the definitions of all its indexes, as they were created."),
  /** An index of a table is being built or dropped, and cannot be read. */
  INDEX_NOT_READY(
      3019, false, "Wait until createIndex has returned, or call it to go on with what was left."),
  /** Another row has the attribute of a unique index; the detail has that row's key. */
  UNIQUE_VIOLATION(
      3020, false, "Give the row another attribute, or change or remove the other row first."),
  /** An index that a table is made of was to be written, created or dropped by its name. */
  PART_OF_TABLE(
      3021,
      false,
      "Write through Canopy.table, drop with Canopy.dropTable or Table.dropIndex; reading is fine."),
  /** A precondition that a transaction by HTTP was to check does not hold. */
  CHECK_FAILED(3022, false, "Read what is there now, and decide anew; nothing was written."),

  /** A clone was to get the name of an index that is there already. */
  INDEX_EXISTS(3023, false, "Use another name, or drop the index first."),
  /** A clone was to be made of one that is itself the clone of a clone, too many times. */
  CLONE_TOO_DEEP(3024, false, "Flatten the clone of which it is to be made, or one below it."),

  /** All owners of a shard are gone or in another partition. */
  SHARD_UNAVAILABLE(
      4001, true, "Try again later; bring back or replace the missing nodes, or heal the network."),
  /** There is no connection to the cluster. */
  NOT_CONNECTED(4002, true, "Check that the cluster runs and its address can be reached."),
  /** The credentials are missing or wrong. */
  UNAUTHENTICATED(4003, false, "Connect with a known user and its password."),
  /** The user is known, but may not do this. */
  FORBIDDEN(4004, false, "Ask an administrator for the role or grant that this needs."),
  /** The port to listen on is in use. */
  PORT_IN_USE(4005, false, "Stop the process that has the port, or configure another port."),
  /** The handle was closed. */
  CANOPY_CLOSED(4006, false, "Use a Canopy handle only until it is closed."),
  /** A server has as much to do for this client as it allows. */
  OVERLOADED(4007, true, "Try again later, and keep fewer transactions and cursors open."),
  /** A client and a server do not understand each other. */
  PROTOCOL_ERROR(
      4008, false, "Check that the address is that of a Canopy server and its release fits."),

  /** The servers are of another grid than before: all members of the former one have stopped. */
  GRID_CHANGED(
      4010, false, "Data of the former grid is not here; open what you need, and load it anew."),

  /** A node left before it could hand over all that it had, so data may be lost. */
  LEFT_WITH_DATA(
      4012,
      false,
      "Look with canopy status what is left; stop the next node only when all is well."),

  /** A node was told to leave for good and stays: data would be lost, or others are too few. */
  LEAVE_REFUSED(
      4013,
      false,
      "See in the detail what is in the way; start another node, or wait for all copies."),

  /** An upgrade cannot be finalized: not all nodes run a release that speaks the new level. */
  UPGRADE_REFUSED(
      4014,
      false,
      "Start the new release at the node that the detail names; canopy upgrade check shows all."),

  /** The collector of traces takes no spans of a server, which are lost; nothing else is. */
  TRACES_NOT_SENT(
      4015,
      false,
      "Check traces.endpoint, and that the collector runs; transactions go on without spans."),

  /** The grid is between two releases, and this is of the newer one. */
  NOT_FINALIZED(
      4016,
      false,
      "Run canopy upgrade finalize once all nodes run the new release, and try again."),

  /** The configuration is wrong; the detail says file, line, column and the nearest right name. */
  CONFIG_INVALID(5001, false, "Correct the configuration and start again."),

  /** The disk of a node is full, damaged or failing; the detail names it. */
  DISK_UNUSABLE(
      5002,
      false,
      "Free room on the disk, or repair it as the detail says, and start the node again."),

  /** A disk has too little room left for what a transaction puts; the detail names the disk. */
  DISK_FULL(
      5003,
      true,
      "Free or add room on the disk that the detail names; reads and removals go on meanwhile."),

  /** Disks count as lost by an operator's word, or would, and shards with them. */
  DISKS_LOST(
      5004,
      false,
      "Start the nodes whose disks are missing, or give up what is lost with canopy recover."),

  /** A disk has not taken for long what it was told; the detail names the disk. */
  DISK_SLOW(
      5005,
      true,
      "See what else uses the disk that the detail names, or whether it is failing; reads go on."),

  /** A backup is not whole, or has not what was written; the detail says which file. */
  BACKUP_DAMAGED(
      5006,
      false,
      "Restore another backup; canopy backup verify names all that is wrong with this one."),

  /** A backup was written in a format that this release does not read. */
  BACKUP_FORMAT(5007, false, "Read it with the release that the detail names, or a later one."),

  /** The directory or the object store of a backup cannot be read or written. */
  BACKUP_STORE_FAILED(
      5008, false, "Check the place of the backup, and the rights that this user has there."),

  /** A check inside Canopy failed: a bug. The node stops before it can spread. */
  INTERNAL_ERROR(
      9001, false, CommitState.UNKNOWN, "Report this with the log; restart the node that failed.");

  private final int number;
  private final boolean retryable;
  private final CommitState commitState;
  private final String advice;

  ErrorCode(int number, boolean retryable, String advice) {
    this(number, retryable, CommitState.NOT_COMMITTED, advice);
  }

  ErrorCode(int number, boolean retryable, CommitState commitState, String advice) {
    this.number = number;
    this.retryable = retryable;
    this.commitState = commitState;
    this.advice = advice;
  }

  /** The number: 2001 for {@code CNPY-2001}. */
  public int number() {
    return number;
  }

  /** The number as it is written: {@code CNPY-2001}. */
  public String id() {
    return "CNPY-" + number;
  }

  /**
   * Whether the same transaction, run again from its beginning, can succeed. An exception ({@link
   * CanopyException#retryable()}) takes its commit state into account too.
   */
  public boolean retryable() {
    return retryable;
  }

  /** The commit state that an error of this code has unless it says otherwise. */
  public CommitState commitState() {
    return commitState;
  }

  /** A sentence on what to do about it. */
  public String advice() {
    return advice;
  }

  /**
   * Finds a code by its id, number or name, in any case: {@code CNPY-2001}, {@code 2001}, {@code
   * write_conflict}.
   */
  public static Optional<ErrorCode> find(String text) {
    String wanted = text.trim().toUpperCase(Locale.ROOT);
    for (ErrorCode code : values()) {
      if (wanted.equals(code.id())
          || wanted.equals(code.name())
          || wanted.equals(Integer.toString(code.number))) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }

  /** {@code CNPY-2001 WRITE_CONFLICT}. */
  @Override
  public String toString() {
    return id() + " " + name();
  }
}
