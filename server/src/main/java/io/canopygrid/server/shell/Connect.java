package io.canopygrid.server.shell;

import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.security.PasswordFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that connect to a cluster. */
public final class Connect {
  /** For picocli. */
  public Connect() {}

  @Option(
      names = {"-c", "--connect"},
      paramLabel = "URI",
      defaultValue = "${env:CANOPY_URL:-canopy://127.0.0.1:11444}",
      description = {
        "Servers of the cluster: canopy://[user:password@]host:port,host:port, or canopys:// with"
            + " TLS",
        "(CANOPY_URL in the environment, else canopy://127.0.0.1:11444)."
      })
  private String uri = "";

  @Option(
      names = "--trust",
      paramLabel = "PEM",
      description = "File with the certificates to trust (those of the JDK).")
  private @Nullable Path trust;

  @Option(names = "--user", paramLabel = "NAME", description = "Who connects.")
  private @Nullable String user;

  @Option(
      names = "--password",
      paramLabel = "PASSWORD",
      arity = "0..1",
      interactive = true,
      description = "The user's password; asked for where it is not given.")
  private char @Nullable [] password;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "File whose first line is the user's password, for programs.")
  private @Nullable Path passwordFile;

  /** A new handle; the caller closes it. */
  public RemoteCanopy open() {
    ClientOptions options = ClientOptions.DEFAULTS;
    if (trust != null) {
      options = options.withTls(trust);
    }
    if (user != null) {
      options = options.as(user, password());
    }
    return RemoteCanopy.connect(uri, options);
  }

  /** The servers, for people: without user and password. */
  String describe() {
    return uri.substring(uri.lastIndexOf('@') + 1).replaceFirst("^canopys?://", "");
  }

  private String password() {
    if (passwordFile != null) {
      return new String(PasswordFile.read(passwordFile));
    }
    return password == null ? "" : new String(password);
  }
}
