package io.canopygrid.server.shell;

import io.canopygrid.BranchId;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.terminal.OutputOption;
import java.util.Locale;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy tx}: lists prepared transactions, and decides them by hand. */
@Command(
    name = "tx",
    description = "List prepared transactions, and decide them by hand.",
    footer = {
      "",
      "A branch of a global transaction is prepared, and holds what it has used, until its",
      "transaction manager decides. Decide by hand only what one that is lost for good has",
      "left: other resources may have been told otherwise.",
      "Example: canopy tx list && canopy tx resolve 131077:67:62 --rollback"
    })
public final class TxCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public TxCommand() {}

  /** The decision. */
  static final class Wanted {
    @Option(names = "--commit", required = true, description = "Do what it is to write.")
    private boolean commit;

    @Option(names = "--rollback", required = true, description = "Do nothing of it.")
    private boolean rollback;
  }

  @Command(
      name = "list",
      description = {
        "List the transactions that are prepared: each with its id, its state, since when it is",
        "prepared, its label, the indexes that it has used, and how many entries it writes."
      })
  int list(@Mixin Connect connect, @Mixin OutputOption output) {
    try (RemoteCanopy db = connect.open()) {
      Rows rows =
          new Rows(
              spec.commandLine().getOut(),
              output.format(),
              "id",
              "state",
              "since",
              "label",
              "indexes",
              "writes");
      for (PreparedTransaction each : db.xa().prepared()) {
        rows.add(
            each.id().toString(),
            each.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
            each.since().toString(),
            each.label(),
            String.join(" ", each.indexes()),
            (long) each.writes());
      }
      rows.end();
    }
    return 0;
  }

  @Command(
      name = "resolve",
      description = {
        "Decide a prepared transaction in the place of its transaction manager, which is told",
        "of that if it comes back."
      })
  int resolve(
      @Mixin Connect connect,
      @Parameters(paramLabel = "ID", description = "The id, as the list has it.") String text,
      @ArgGroup(multiplicity = "1") Wanted wanted,
      @Mixin Confirmation confirmation) {
    BranchId id;
    try {
      id = BranchId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "no id of a transaction: " + text, e);
    }
    try (RemoteCanopy db = connect.open()) {
      boolean commits = wanted.commit && !wanted.rollback;
      String word = commits ? "commit" : "rollback";
      confirmation.askFor((commits ? "Commit " : "Roll back ") + text + " by hand", word);
      if (!db.xa().resolve(id, commits)) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT, "no transaction " + text + " waits for a decision");
      }
    }
    return 0;
  }
}
