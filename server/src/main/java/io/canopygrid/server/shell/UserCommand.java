package io.canopygrid.server.shell;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.security.Credentials;
import io.canopygrid.server.security.PasswordFile;
import io.canopygrid.server.security.Role;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy user}: manages users and their rights. A password never leaves this process. */
@Command(
    name = "user",
    description = "Add, change, list and remove the users of a cluster.",
    footer = {
      "",
      "A right is a role (reader, writer, admin), or one for a single index: accounts=writer.",
      "Example: canopy user add ada --grant reader --grant accounts=writer"
    })
public final class UserCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public UserCommand() {}

  @Command(name = "add", description = "Add a user, or give one a new password and rights.")
  int add(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "Letters, digits, '.', '_', '-', '@'.")
          String name,
      @Option(names = "--grant", paramLabel = "RIGHT", description = "What the user may do.")
          List<String> rights,
      @Option(
              names = "--new-password-file",
              paramLabel = "FILE",
              description = "File with the user's password (it is asked for).")
          @Nullable Path file) {
    char[] password = file == null ? ask(name) : PasswordFile.read(file);
    Request.PutUser user = new Request.PutUser(name, Credentials.of(password), grants(rights));
    try (RemoteCanopy db = connect.open()) {
      db.putUser(user);
    }
    return 0;
  }

  @Command(name = "grant", description = "Give a user more rights, or other ones for an index.")
  int grant(
      @Mixin Connect connect,
      @Parameters(index = "0", paramLabel = "NAME", description = "The user.") String name,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = "RIGHT", description = "Rights.")
          List<String> rights) {
    try (RemoteCanopy db = connect.open()) {
      Map<String, String> all = new TreeMap<>();
      for (Reply.User user : db.users().users()) {
        if (user.name().equals(name)) {
          user.grants().forEach(grant -> all.put(grant.index(), grant.role()));
        }
      }
      grants(rights).forEach(grant -> all.put(grant.index(), grant.role()));
      List<Request.Grant> grants = new ArrayList<>();
      all.forEach((index, role) -> grants.add(new Request.Grant(index, role)));
      db.putUser(new Request.PutUser(name, null, grants));
    }
    return 0;
  }

  @Command(name = "list", description = "List all users and their rights.")
  int list(@Mixin Connect connect) {
    try (RemoteCanopy db = connect.open()) {
      for (Reply.User user : db.users().users()) {
        List<String> rights = user.grants().stream().map(UserCommand::text).toList();
        spec.commandLine().getOut().println(user.name() + "  " + String.join(" ", rights));
      }
    }
    spec.commandLine().getOut().flush();
    return 0;
  }

  @Command(
      name = "remove",
      description = "Remove a user. Connections that they have stay until they are closed.")
  int remove(
      @Mixin Connect connect,
      @Parameters(paramLabel = "NAME", description = "The user.") String name) {
    try (RemoteCanopy db = connect.open()) {
      if (!db.removeUser(name)) {
        throw new CanopyException(ErrorCode.INVALID_ARGUMENT, "there is no user '" + name + "'");
      }
    }
    return 0;
  }

  private static String text(Request.Grant grant) {
    return grant.index().isEmpty() ? grant.role() : grant.index() + "=" + grant.role();
  }

  private static List<Request.Grant> grants(@Nullable List<String> rights) {
    List<Request.Grant> grants = new ArrayList<>();
    for (String right : rights == null ? List.<String>of() : rights) {
      int split = right.indexOf('=');
      String index = split < 0 ? "" : right.substring(0, split);
      grants.add(new Request.Grant(index, Role.of(right.substring(split + 1)).text()));
    }
    return grants;
  }

  @SuppressWarnings("SystemConsoleNull") // it is null on a JDK before 22
  private char[] ask(String name) {
    if (System.console() == null) {
      throw new ParameterException(
          spec.commandLine(), "there is no terminal to ask at: give --new-password-file");
    }
    char[] password = System.console().readPassword("Password of %s: ", name);
    char[] again = System.console().readPassword("Once more: ");
    if (password == null || !java.util.Arrays.equals(password, again)) {
      throw new ParameterException(spec.commandLine(), "that was not twice the same");
    }
    return password;
  }
}
