package io.canopygrid.btree.simulation;

import io.canopygrid.btree.access.commit.CloneViewBugs;
import io.canopygrid.btree.access.read.CloneLookupBugs;
import io.canopygrid.btree.access.read.DroppedBugs;
import io.canopygrid.btree.catalog.CloneBugs;
import io.canopygrid.btree.catalog.ClonePinBugs;
import io.canopygrid.btree.catalog.DropBugs;
import io.canopygrid.btree.catalog.MarkBugs;
import io.canopygrid.btree.catalog.PastBugs;
import io.canopygrid.btree.crown.ClonePin;
import io.canopygrid.btree.drop.KeeperBugs;
import io.canopygrid.btree.embedded.FlatteningBugs;
import io.canopygrid.btree.feed.FeedBugs;
import io.canopygrid.btree.function.FunctionBugs;
import io.canopygrid.btree.prepared.PreparedBugs;
import io.canopygrid.btree.simulation.AlteredNode.Alteration;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.btree.subtree.LockBugs;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.function.LoadBugs;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.ProtocolBugs;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.gmu.protocol.read.ChangeBugs;
import io.canopygrid.gmu.simulation.SimulatedFault;
import io.canopygrid.gmu.simulation.SimulatedWork;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import io.canopygrid.table.TableBugs;
import io.canopygrid.typed.CursorBugs;
import io.canopygrid.typed.FeedPositionBugs;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tables, cursors, loads, drops, states of the past, feeds, clones and global transactions with one
 * rule broken, to prove that the simulation notices.
 */
enum WorkMutation {
  UNIQUE_UNCHECKED(
      "tables", "two rows may have one attribute of a unique index", TableBugs.UNIQUE_UNCHECKED),
  ENTRIES_STAY("tables", "a change of a row leaves its old entries", TableBugs.ENTRIES_STAY),
  FULL_IS_LAST("tables", "a build ends with its first full batch", TableBugs.FULL_IS_LAST),
  FAILED_STAYS("tables", "an index whose build has failed stays", TableBugs.FAILED_STAYS),
  SCHEMA_NOT_CHECKED(
      "tables",
      "whether a writer of rows knows the table's indexes is not asked",
      new AlteredFences() {
        @Override
        public boolean covers(byte[] header, byte[] ku) {
          return EntryKeys.isSchema(CompositeKey.of(0, ku)) || super.covers(header, ku);
        }
      }),
  SCHEMA_NOT_INHERITED(
      "tables",
      "a subtree of rows is born without its schema number",
      (footprint, split) -> split ? withoutSchemas(footprint) : footprint),
  ENTRIES_BEFORE_MARKS(
      "tables",
      "entries are created before the writers of rows have to know the index",
      MarkBugs.ENTRIES_BEFORE_MARKS),
  MARKS_BY_CROWN_ONLY(
      "tables",
      "only subtrees of rows that the builder's crown knows are marked",
      MarkBugs.MARKS_BY_CROWN_ONLY),
  TOKEN_REPEATS("cursors", "a token goes on with the last key", CursorBugs.TOKEN_REPEATS),
  TOKEN_SKIPS("cursors", "a token leaves a key out", CursorBugs.TOKEN_SKIPS),
  TOKEN_FORGETS("cursors", "a token does not know what was seen", CursorBugs.TOKEN_FORGETS),
  ANY_OF_THE_NAME("cursors", "a token means any snapshot of its name", CursorBugs.ANY_OF_THE_NAME),
  HORIZON_OVERTAKES(
      "cursors",
      "versions that a transaction may still read are dropped",
      ProtocolBugs.HORIZON_OVERTAKES),
  LOAD_NOT_VALIDATED(
      "loads",
      "a load that makes subtrees is not validated for what others insert",
      (footprint, split) ->
          isLoad(footprint, split)
              ? new Footprint(footprint.reads(), List.of(), footprint.writes())
              : footprint),
  ABOVE_LOST(
      "loads",
      "a load does not take along what is above it",
      (footprint, split) -> isLoad(footprint, split) ? withoutCopies(footprint) : footprint),
  COUNTS_TOO_EARLY("loads", "what is under way counts as committed", LoadBugs.COUNTS_TOO_EARLY),
  FAILURE_FORGOTTEN("loads", "a part that has failed is forgotten", LoadBugs.FAILURE_FORGOTTEN),
  LOST_IS_NOT_RUN(
      "loads", "a part of a node that is lost is sent again", FunctionBugs.LOST_IS_NOT_RUN),
  RETRY_DROPS_NEW(
      "drops", "a retry of a drop drops what was created meanwhile", DropBugs.RETRY_DROPS_NEW),
  ENTRIES_OF_ANY_TABLE(
      "drops", "a late writer creates entries under a new table", DropBugs.ENTRIES_OF_ANY_TABLE),
  UNHEARD_IS_DROPPED(
      "tables,drops",
      "a drop leaves entries of which its node has not heard",
      TableBugs.UNHEARD_IS_DROPPED),
  FORMER_UNMARKED(
      "drops",
      "an index is created while writers may go into the one that had its name",
      DropBugs.FORMER_UNMARKED),
  NOT_MARKED("drops", "a drop returns before anything is marked", KeeperBugs.NOT_MARKED),
  NOT_EMPTIED("drops", "the entries of a dropped index stay", KeeperBugs.NOT_EMPTIED),
  NOT_TAKEN_AWAY("drops", "the subtrees of a dropped index stay", KeeperBugs.NOT_TAKEN_AWAY),
  OWN_CROWN_UNUSED(
      "drops", "a snapshot does not search its own crown", DroppedBugs.OWN_CROWN_UNUSED),
  PREDECESSOR_UNKNOWN(
      "drops",
      "a snapshot does not ask which index had the name in it",
      DroppedBugs.PREDECESSOR_UNKNOWN),
  TIME_BEFORE_READS(
      "past", "a mark has the time at which its taking began", PastBugs.TIME_BEFORE_READS),
  SET_BACK("past", "marks have the time of a clock that was set back", PastBugs.SET_BACK),
  ORDER_NOT_VALIDATED("past", "two marks are made beside each other", PastBugs.ORDER_NOT_VALIDATED),
  LATER_NOT_AWAITED(
      "past", "the newest mark is told, behind which there is none", PastBugs.LATER_NOT_AWAITED),
  DROPPED_TOO_EARLY("past", "a mark is dropped that may be asked for", PastBugs.DROPPED_TOO_EARLY),
  MARKS_NOT_MET("past", "versions of states that are kept are dropped", ProtocolBugs.MARKS_NOT_MET),
  FEED_KNOWN_BY_NUMBER(
      "feeds",
      "a feed takes a commit for told by its number in one shard",
      ChangeBugs.KNOWN_BY_NUMBER),
  FEED_BEYOND_SNAPSHOT(
      "feeds", "a feed tells what its snapshot does not show", ChangeBugs.BEYOND_SNAPSHOT),
  FEED_NOT_AWAITED(
      "feeds", "a feed reads a shard that lags behind its snapshot", ChangeBugs.NOT_AWAITED),
  FEED_HORIZON_UNSEEN("feeds", "a feed goes on where changes are gone", ChangeBugs.HORIZON_UNSEEN),
  FEED_CARRIED_TOLD("feeds", "a feed tells what was only moved", ChangeBugs.CARRIED_TOLD),
  FEED_PAST_UNSEEN(
      "feeds", "a feed reads values of a snapshot that is gone", ProtocolBugs.PAST_UNSEEN),
  FEED_NOT_CUT("feeds", "a feed tells a commit before one that it depends on", FeedBugs.NOT_CUT),
  FEED_NOT_ORDERED("feeds", "a feed tells commits in any order", FeedBugs.NOT_ORDERED),
  FEED_NOTHING_HELD("feeds", "a feed does not hold the horizon", FeedBugs.NOTHING_HELD),
  FEED_COLD_IS_NONE("feeds", "a feed takes a value on the disk for none", FeedBugs.COLD_IS_NONE),
  FEED_POSITION_AHEAD(
      "feeds", "a feed's position is ahead of what it has told", FeedPositionBugs.AHEAD),
  CLONE_LAYER_AT_PRESENT(
      "clones", "a clone shows its parent as it is by now", CloneViewBugs.LAYER_AT_PRESENT),
  CLONE_ABSENCE_NOT_VALIDATED(
      "clones",
      "that a clone has no entry of its own is not validated",
      CloneViewBugs.ABSENCE_NOT_VALIDATED),
  CLONE_LAYER_MASKS_IGNORED(
      "clones",
      "what a clone has removed comes back in its clones",
      CloneViewBugs.MASKS_OF_LAYERS_IGNORED),
  CLONE_WITHOUT_MASKS("clones", "removals from clones leave no masks", CloneLookupBugs.NO_MASKS),
  CLONE_MASKS_END_EARLY(
      "clones",
      "removals leave no masks as soon as a clone is flattened",
      CloneLookupBugs.MASKS_END_EARLY),
  CLONE_LAYERS_OUTLIVE(
      "clones", "a flattened clone's layers are looked at", CloneLookupBugs.LAYERS_OUTLIVE),
  CLONE_MADE_IGNORED(
      "clones", "a clone is read where the snapshot has none", CloneLookupBugs.MADE_IGNORED),
  CLONE_FLAT_TOO_EARLY(
      "clones", "a flattening ends before all is copied", FlatteningBugs.ENDS_EARLY),
  CLONE_NOT_AFTER_ALL(
      "clones",
      "a clone is made, or flat, before what was committed before",
      CloneBugs.NOT_AFTER_ALL),
  CLONE_PIN_NOT_WRITTEN(
      "clones",
      "a clone does not pin its layers",
      (footprint, split) ->
          new Footprint(
              footprint.reads(),
              footprint.ranges(),
              footprint.writes().stream()
                  .filter(write -> write.value() == null || !isClonePin(write.key()))
                  .toList())),
  CLONE_PINS_WITHOUT_GRACE(
      "clones",
      "pins are dropped while transactions may look at the layers",
      ClonePinBugs.NO_GRACE),
  GLOBAL_READS_NOT_HELD(
      "global",
      "others write what a prepared transaction has read",
      new AlteredFences() {
        @Override
        public boolean accepts(byte[] header, byte[] ku) {
          return super.accepts(withLocks(SubtreeHeader.decode(header), KeyLock::writes), ku);
        }
      }),
  GLOBAL_LOCKS_NOT_INHERITED(
      "global",
      "a subtree is born without the locks on its keys",
      (footprint, split) -> split ? withoutLocks(footprint) : footprint),
  GLOBAL_LOCKS_NOT_TAKEN(
      "global", "keys go to a neighbour without their locks", LockBugs.NOT_TAKEN),
  GLOBAL_READS_NOT_VALIDATED(
      "global", "a preparation does not validate what was read", PreparedBugs.READS_NOT_VALIDATED),
  GLOBAL_RANGES_NOT_HELD(
      "global",
      "others write where a prepared transaction has scanned",
      PreparedBugs.RANGES_NOT_HELD),
  GLOBAL_HELD_TWICE(
      "global", "two prepared transactions hold the same key", PreparedBugs.HELD_TWICE),
  GLOBAL_DECIDED_TWICE("global", "a decision takes effect again", PreparedBugs.DECIDED_TWICE);

  /** The rule that is broken. */
  @SuppressWarnings("ImmutableEnumChecker") // a bug has no state, replacements count their calls
  final BrokenRule rule;

  /** The work that shows it. */
  @SuppressWarnings("ImmutableEnumChecker") // it is not changed
  final Set<SimulatedWork> work;

  WorkMutation(String work, String what, Alteration alteration) {
    this.work = SimulatedWork.parse(work);
    this.rule =
        BrokenRule.of(
            what,
            new TreeBug() {
              @Override
              protected GmuNode face(GmuNode node) {
                return new AlteredNode(node, alteration);
              }
            });
  }

  WorkMutation(String work, String what, Fences fences) {
    this.work = SimulatedWork.parse(work);
    this.rule =
        BrokenRule.of(
            what,
            new TreeBug() {
              @Override
              protected ProtocolNode node(
                  NodeId id,
                  int shards,
                  ProtocolConfig config,
                  OrderedStore.Factory stores,
                  Fences real) {
                return new ProtocolNode(id, shards, config, stores, fences);
              }
            });
  }

  WorkMutation(String work, String what, Replacement... replaced) {
    this.work = SimulatedWork.parse(work);
    this.rule = BrokenRule.of(what, replaced);
  }

  /** Every other run is with faults, where the rule is not one of values on disks only. */
  Set<SimulatedFault> faults(long seed) {
    if (this == FEED_COLD_IS_NONE || this == FEED_PAST_UNSEEN) {
      return SimulatedFault.parse("evict,move");
    }
    return seed % 2 == 0 ? SimulatedFault.NETWORK : SimulatedFault.ALL;
  }

  private static boolean isClonePin(CompositeKey key) {
    return ReservedKcl.PINS.has(key) && !key.isHeader() && ClonePin.is(key.ku());
  }

  /** A shift whose new subtree has no schema number. */
  private static Footprint withoutSchemas(Footprint shift) {
    List<Write> writes =
        shift.writes().stream()
            .map(write -> isBorn(shift, write.key()) ? withoutSchema(write) : write)
            .toList();
    return new Footprint(shift.reads(), shift.ranges(), writes);
  }

  private static byte[] withLocks(SubtreeHeader header, Predicate<KeyLock> kept) {
    return new SubtreeHeader(
            header.index(),
            header.entriesMax(),
            header.low(),
            header.high(),
            header.left(),
            header.right(),
            header.cameFrom(),
            header.closing(),
            header.wentTo(),
            header.schema(),
            header.locks().stream().filter(kept).toList())
        .encode();
  }

  /** A shift whose new subtree has no locks. */
  private static Footprint withoutLocks(Footprint shift) {
    List<Write> writes =
        shift.writes().stream()
            .map(write ->
                isBorn(shift, write.key())
                    ? new Write(
                        write.key(),
                        withLocks(
                            SubtreeHeader.decode(Objects.requireNonNull(write.value())),
                            lock -> false),
                        null)
                    : write)
            .toList();
    return new Footprint(shift.reads(), shift.ranges(), writes);
  }

  private static boolean isBorn(Footprint shift, CompositeKey key) {
    return key.isHeader() && shift.reads().contains(new KeyRead(key, Seen.ABSENT));
  }

  private static Write withoutSchema(Write write) {
    SubtreeHeader own = SubtreeHeader.decode(Objects.requireNonNull(write.value()));
    SubtreeHeader born =
        new SubtreeHeader(
            own.index(),
            own.entriesMax(),
            own.low(),
            own.high(),
            own.left(),
            own.right(),
            own.cameFrom(),
            null,
            SubtreeHeader.NONE,
            0);
    return new Write(write.key(), born.encode(), null);
  }

  /** Whether it makes subtrees and is no shift. */
  private static boolean isLoad(Footprint footprint, boolean split) {
    return !split
        && !footprint.ranges().isEmpty()
        && footprint.writes().stream().anyMatch(write -> ReservedKcl.CROWN.has(write.key()));
  }

  private static Footprint withoutCopies(Footprint load) {
    List<Write> writes =
        load.writes().stream()
            .filter(write -> write.value() == null || write.origin() == null)
            .toList();
    return new Footprint(load.reads(), load.ranges(), writes);
  }
}
