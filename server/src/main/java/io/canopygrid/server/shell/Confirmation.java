package io.canopygrid.server.shell;

import java.io.Console;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks before data is lost. */
final class Confirmation {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(names = "--yes", description = "Do not ask.")
  private boolean yes;

  /**
   * Returns where the user agrees.
   *
   * @param what is lost, as {@code index 'accounts' with all of its entries}
   * @param name to be typed by a user who agrees
   */
  void ask(String what, String name) {
    if (yes) {
      return;
    }
    Console terminal = terminal();
    if (terminal == null) {
      throw new ParameterException(
          spec.commandLine(), "there is no terminal to ask at: give --yes to drop " + what);
    }
    if (!name.equals(terminal.readLine("Drop %s? Type its name to go on: ", what))) {
      throw new ParameterException(spec.commandLine(), "that was not the name: nothing is dropped");
    }
  }

  /**
   * Where a person types; null: none does, or the answer would be taken from a file or another
   * program. A JDK from 22 on always has a console, so the script's property decides as well.
   */
  private static @Nullable Console terminal() {
    return Boolean.getBoolean("canopy.answers") ? System.console() : null;
  }
}
