package io.canopygrid.server.shell;

import java.io.Console;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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

  private final Supplier<@Nullable UnaryOperator<@Nullable String>> person;

  /** For picocli. */
  Confirmation() {
    this(Confirmation::terminal);
  }

  /**
   * Asks somebody.
   *
   * @param person answers a prompt; where it is null, nobody does
   */
  Confirmation(Supplier<@Nullable UnaryOperator<@Nullable String>> person) {
    this.person = person;
  }

  /**
   * Returns where the user agrees.
   *
   * @param what is lost, as {@code index 'accounts' with all of its entries}
   * @param name to be typed by a user who agrees
   */
  void ask(String what, String name) {
    if (!yes && person.get() == null) {
      throw new ParameterException(
          spec.commandLine(), "there is no terminal to ask at: give --yes to drop " + what);
    }
    askWhoTypes(what, name);
  }

  /**
   * Returns where the user agrees.
   *
   * @param what is done, as {@code Give up 2 disks}
   * @param word to be typed by a user who agrees
   */
  void askFor(String what, String word) {
    UnaryOperator<@Nullable String> answers = yes ? null : person.get();
    if (!yes && answers == null) {
      throw new ParameterException(
          spec.commandLine(), "there is no terminal to ask at: give --yes to go on");
    }
    if (answers != null && !word.equals(answers.apply(what + "? Type '" + word + "' to go on: "))) {
      throw new ParameterException(
          spec.commandLine(), "that was not '" + word + "': nothing is done");
    }
  }

  /** The same for the statements of a script, of which nobody has to be asked. */
  void askWhoTypes(String what, String name) {
    UnaryOperator<@Nullable String> answers = yes ? null : person.get();
    if (answers != null
        && !name.equals(answers.apply("Drop " + what + "? Type its name to go on: "))) {
      throw new ParameterException(spec.commandLine(), "that was not the name: nothing is dropped");
    }
  }

  /**
   * Where a person types; null: none does, or the answer would be taken from a file or another
   * program. A JDK from 22 on always has a console, so the script's property decides as well.
   */
  private static @Nullable UnaryOperator<@Nullable String> terminal() {
    Console console = Boolean.getBoolean("canopy.answers") ? System.console() : null;
    return console == null ? null : prompt -> console.readLine("%s", prompt);
  }
}
