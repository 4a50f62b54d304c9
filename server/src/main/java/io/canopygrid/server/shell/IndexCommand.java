package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexStructure;
import io.canopygrid.StructureChange;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.engine.TablePart;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.terminal.OutputOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy index}: shows and changes the subtrees of an index, and drops it. */
@Command(
    name = "index",
    description = {
      "Show how an index is cut into subtrees and where they are, and change that; or drop it."
    },
    footer = {
      "",
      "The cluster balances itself; a change by hand that makes it uneven may be undone.",
      "Keys are written as the shell writes them.",
      "Example: canopy index heat accounts -o json"
    })
public final class IndexCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public IndexCommand() {}

  /** The options that all subcommands have. */
  static final class Target {
    @Mixin private Connect connect = new Connect();

    @Parameters(index = "0", paramLabel = "NAME", description = "The index.")
    private String name = "";

    @Mixin private OutputOption output = new OutputOption();
  }

  @Command(name = "shape", description = "Show the subtrees in the order of their keys.")
  int shape(@Mixin Target target) {
    return with(target, (structure, rows) -> rows.shape(structure.subtrees()));
  }

  @Command(name = "placement", description = "Show what each node has of the index.")
  int placement(@Mixin Target target) {
    return with(target, (structure, rows) -> rows.placement(structure.subtrees()));
  }

  @Command(
      name = "heat",
      description = {
        "Show the subtrees, the most used ones first; and the hot entries, where copies of them"
            + " are, and what these save."
      })
  int heat(@Mixin Target target) {
    try (RemoteCanopy db = target.connect.open()) {
      StructureRows rows = rows(db, target);
      rows.heat(db.structure(target.name).subtrees());
      db.hotEntries(db.describe(target.name).index()).ifPresent(rows::hotEntries);
    }
    return 0;
  }

  @Command(name = "moves", description = "Show the changes under way, and the last ones.")
  int moves(@Mixin Target target) {
    return with(target, (structure, rows) -> rows.changes(structure.changes()));
  }

  @Command(name = "split", description = "Cut a subtree in two at a key.")
  int split(
      @Mixin Target target,
      @Parameters(index = "1", paramLabel = "KEY", description = "Where the new one begins.")
          String key) {
    return change(target, key, IndexStructure::split);
  }

  @Command(name = "merge", description = "Merge a key's subtree with its right neighbour.")
  int merge(
      @Mixin Target target,
      @Parameters(index = "1", paramLabel = "KEY", description = "A key of the subtree.")
          String key) {
    return change(target, key, IndexStructure::merge);
  }

  @Command(name = "move", description = "Move a key's subtree to a node.")
  int move(
      @Mixin Target target,
      @Parameters(index = "1", paramLabel = "KEY", description = "A key of the subtree.")
          String key,
      @Parameters(index = "2", paramLabel = "NODE", description = "As 'canopy status' names it.")
          String node) {
    return change(target, key, (structure, at) -> structure.move(at, node));
  }

  @Command(
      name = "cutoff",
      description = "Show how many subtrees are wanted, or fix how many per node.")
  int cutoff(
      @Mixin Target target,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "NUMBER",
              description = "Subtrees per node from now on, or 'auto': as configured.")
          @Nullable String wanted) {
    return with(
        target,
        (structure, rows) ->
            rows.cutOff(wanted == null ? structure.cutOff() : structure.fixCutOff(number(wanted))));
  }

  @Command(
      name = "drop",
      description = {
        "Drop an index with all of its entries. Named snapshots keep theirs.",
        "TABLE.INDEX drops a secondary index of a table, which can be created again from the rows."
      })
  int drop(@Mixin Target target, @Mixin Confirmation confirmation) {
    String name = target.name;
    try (RemoteCanopy db = target.connect.open()) {
      boolean exists = db.indexes().contains(name);
      Optional<TableParts.Secondary> secondary = TableParts.find(db, name);
      if (exists && secondary.isPresent()) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT,
            "'" + name + "' is an index, and also a secondary index of a table: drop in a program");
      }
      if (exists) {
        TablePart.check(name);
        confirmation.ask("index '" + name + "' with all of its entries", name);
      }
      boolean dropped =
          exists
              ? db.dropIndex(name)
              : secondary.map(found -> found.table().dropIndex(found.index())).orElse(false);
      if (!dropped) {
        throw new CanopyException(
            ErrorCode.UNKNOWN_INDEX,
            "there is no index '" + name + "', and no table has one that is written so");
      }
    }
    return 0;
  }

  private static OptionalInt number(String text) {
    if (text.equals("auto")) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "'" + text + "' is neither a number nor 'auto'", e);
    }
  }

  private int with(Target target, BiConsumer<IndexStructure, StructureRows> shown) {
    try (RemoteCanopy db = target.connect.open()) {
      shown.accept(db.structure(target.name), rows(db, target));
    }
    return 0;
  }

  private StructureRows rows(RemoteCanopy db, Target target) {
    return new StructureRows(spec.commandLine().getOut(), target.output.format(), keys(db, target));
  }

  private static Codec<String> keys(RemoteCanopy db, Target target) {
    return TextCodec.of(db.describe(target.name).keyCodec(), true);
  }

  /** Makes a change; the exit code is 0 if the change is done. */
  private int change(
      Target target, String key, BiFunction<IndexStructure, byte[], StructureChange> how) {
    try (RemoteCanopy db = target.connect.open()) {
      byte[] at = keys(db, target).encode(key);
      StructureChange made = how.apply(db.structure(target.name), at);
      rows(db, target).changes(List.of(made));
      spec.commandLine().getErr().print(unfinished(made.state()));
      spec.commandLine().getErr().flush();
      return made.state() == StructureChange.State.DONE ? 0 : 1;
    }
  }

  private static String unfinished(StructureChange.State state) {
    return switch (state) {
      case RUNNING, DONE -> "";
      case IN_THE_WAY -> "something was in its way each time; what it has moved stays: try again\n";
      case IMPOSSIBLE ->
          "nothing was done: there is nothing to move, or the subtree has changed meanwhile\n";
    };
  }
}
