package io.canopygrid.server.shell;

import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.security.PasswordFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that connect to a cluster. */
public final class Connect {
  private static final String DEFAULT_URL = "canopy://127.0.0.1:11444";

  /** For picocli. */
  public Connect() {}

  @Option(
      names = {"-c", "--connect"},
      paramLabel = "URI",
      description = {
        "Servers of the cluster: canopy://[user:password@]host:port,host:port, or canopys:// with"
            + " TLS",
        "(the profile's, CANOPY_URL in the environment, or canopy://127.0.0.1:11444)."
      })
  private @Nullable String uri;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = "${env:CANOPY_PROFILE:-}",
      description = {
        "Profile of ~/.config/canopy/profiles.yaml, with url, trust, user and passwordFile; options"
            + " win",
        "(CANOPY_PROFILE in the environment, or none)."
      })
  private String profile = "";

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
    Profile from = profile();
    return open(from, uri(from));
  }

  /** The same, which begins at the server of this address, {@code host:port}. */
  RemoteCanopy openAt(String address) {
    Profile from = profile();
    String uri = uri(from);
    int servers = Math.max(uri.indexOf("://") + "://".length(), uri.lastIndexOf('@') + 1);
    return open(from, uri.substring(0, servers) + address);
  }

  private RemoteCanopy open(Profile from, String uri) {
    ClientOptions options = ClientOptions.DEFAULTS;
    Path trusted = trust == null ? from.trust() : trust;
    if (trusted != null) {
      options = options.withTls(trusted);
    }
    String name = user == null ? from.user() : user;
    if (name != null) {
      options = options.as(name, password(from));
    }
    return RemoteCanopy.connect(uri, options);
  }

  private Profile profile() {
    if (profile.isEmpty()) {
      return Profile.NONE;
    }
    Path file = Profile.file(System.getenv(), System.getProperty("user.home", "."));
    return Profile.read(file, profile);
  }

  private String uri(Profile from) {
    if (uri != null) {
      return uri;
    }
    String url = from.url();
    return url == null ? System.getenv().getOrDefault("CANOPY_URL", DEFAULT_URL) : url;
  }

  /** The HTTP of the same servers, as the same user. */
  public ServerHttp httpAsUser() {
    return http(login());
  }

  /** The HTTP of the same servers, for what nobody logs in to. */
  ServerHttp http() {
    return http(null);
  }

  private ServerHttp http(@Nullable String login) {
    List<String> servers = List.of(describe().replaceFirst("/$", "").split(",", -1));
    Path trusted = trust == null ? profile().trust() : trust;
    return new ServerHttp(servers, uri(profile()).startsWith("canopys://"), trusted, login);
  }

  /** The user and the password, with a colon between them; null: nobody logs in. */
  private @Nullable String login() {
    Profile from = profile();
    String uri = uri(from);
    int end = uri.lastIndexOf('@');
    if (end >= 0) {
      String login = uri.substring(uri.indexOf("://") + "://".length(), end).replace("%25", "%");
      return login.contains(":") ? login : login + ":";
    }
    String name = user == null ? from.user() : user;
    return name == null ? null : name + ":" + password(from);
  }

  /** The servers, for people: without user and password. */
  String describe() {
    String servers = uri(profile());
    return servers.substring(servers.lastIndexOf('@') + 1).replaceFirst("^canopys?://", "");
  }

  private String password(Profile from) {
    if (passwordFile != null) {
      return new String(PasswordFile.read(passwordFile));
    }
    if (password != null) {
      return new String(password);
    }
    // The profile's password is that of the profile's user.
    Path file = user == null || user.equals(from.user()) ? from.passwordFile() : null;
    return file == null ? "" : new String(PasswordFile.read(file));
  }
}
