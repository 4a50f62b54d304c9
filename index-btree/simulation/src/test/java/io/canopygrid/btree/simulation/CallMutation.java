package io.canopygrid.btree.simulation;

import io.canopygrid.btree.control.ControlBugs;
import io.canopygrid.btree.function.FunctionBugs;
import io.canopygrid.btree.ledger.LedgerBugs;
import io.canopygrid.btree.simulation.AlteredNode.Alteration;
import io.canopygrid.btree.subtree.CommitRecords;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.List;
import java.util.function.Predicate;

/**
 * Named commits, functions and lost reports with one rule broken, to prove that the simulation
 * notices.
 */
enum CallMutation {
  RECORD_NOT_VALIDATED(
      "a named commit does not validate that its name has no record",
      footprint -> reading(footprint, read -> !isRecord(read))),
  RECORD_NOT_WRITTEN(
      "a named commit leaves no record", footprint -> writing(footprint, write -> !is(write, 1))),
  NOT_PREVENTED(
      "a look-up that finds no record writes none",
      footprint -> writing(footprint, write -> !is(write, 2))),
  RECORD_APART(
      "the record of a commit takes effect, and the rest of it does not",
      footprint ->
          footprint.writes().stream().anyMatch(write -> is(write, 1))
              ? writing(footprint, write -> isRecord(write))
              : footprint),
  SWEPT_WITHOUT_HEADER(
      "old records are dropped without a word which names are covered",
      LedgerBugs.SWEPT_WITHOUT_HEADER,
      LedgerBugs.NO_NAME_IS_OLD),
  SWEPT_BY_WALL_CLOCK(
      "records are dropped by the clock of the node that drops them",
      LedgerBugs.SWEPT_BY_WALL_CLOCK),
  TIME_OF_WALL_CLOCK("the grid's time follows a wall clock", LedgerBugs.TIME_OF_WALL_CLOCK),
  FAILED_LOOK_UP_TELLS(
      "a look-up at a node that ends tells that the commit has not happened",
      LedgerBugs.FAILED_LOOK_UP_TELLS),
  OLD_NAME_TELLS(
      "a commit that is sent again when its name is too old is told as not committed",
      LedgerBugs.OLD_NAME_TELLS),
  CALL_LEFT_OPEN(
      "a named call whose name is too old leaves its transaction open",
      FunctionBugs.CALL_LEFT_OPEN),
  SECOND_RESULT("a repeated call gives the result of its last run", FunctionBugs.SECOND_RESULT),
  LOST_IS_NOT_RUN(
      "a call to a node that is lost is sent again without a look-up",
      FunctionBugs.LOST_IS_NOT_RUN),
  ONE_NAME("two calls have the same name", FunctionBugs.ONE_NAME),
  SILENT_IS_IDLE(
      "the controller takes a node without a report for one that has nothing to do",
      ControlBugs.SILENT_IS_IDLE);

  /** The rule that is broken. */
  @SuppressWarnings("ImmutableEnumChecker") // a bug has no state, replacements count their calls
  final BrokenRule rule;

  CallMutation(String what, Commits commits) {
    rule = BrokenRule.of(what, new Altered((footprint, split) -> commits.alter(footprint)));
  }

  CallMutation(String what, Replacement... replaced) {
    rule = BrokenRule.of(what, replaced);
  }

  /** Changes what is committed. */
  private interface Commits {
    Footprint alter(Footprint footprint);
  }

  /** A tree on nodes that commit something else. */
  private static final class Altered extends TreeBug {
    private final Alteration alteration;

    Altered(Alteration alteration) {
      this.alteration = alteration;
    }

    @Override
    protected GmuNode face(GmuNode node) {
      return new AlteredNode(node, alteration);
    }
  }

  private static boolean isRecord(KeyRead read) {
    return CommitRecords.isRecords(read.key().kcl()) && !read.key().isHeader();
  }

  private static boolean isRecord(Write write) {
    return CommitRecords.isRecords(write.key().kcl()) && !write.key().isHeader();
  }

  /** Whether it is a record that says this. */
  private static boolean is(Write write, int said) {
    byte[] value = write.value();
    return isRecord(write) && value != null && value[0] == said;
  }

  private static Footprint reading(Footprint footprint, Predicate<KeyRead> kept) {
    List<KeyRead> reads = footprint.reads().stream().filter(kept).toList();
    return new Footprint(reads, footprint.ranges(), footprint.writes());
  }

  private static Footprint writing(Footprint footprint, Predicate<Write> kept) {
    List<Write> writes = footprint.writes().stream().filter(kept).toList();
    return new Footprint(footprint.reads(), footprint.ranges(), writes);
  }
}
