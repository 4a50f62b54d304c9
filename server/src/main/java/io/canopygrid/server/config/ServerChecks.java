package io.canopygrid.server.config;

import io.canopygrid.CanopyException;
import io.canopygrid.btree.embedded.ClusterJoin;
import io.canopygrid.config.ClusterChecks;
import io.canopygrid.config.ClusterSettings;
import io.canopygrid.config.Problem;
import io.canopygrid.config.ProblemList;
import io.canopygrid.config.Setting;
import io.canopygrid.config.SettingValues;
import io.canopygrid.server.functions.FunctionJars;
import io.canopygrid.server.security.PasswordFile;
import io.canopygrid.server.security.PemTls;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks of settings against each other, and of the files that they name. */
final class ServerChecks {
  private static final int PORT_MAX = 65_535;

  private final SettingValues values;
  private final ProblemList problems;

  private ServerChecks(SettingValues values) {
    this.values = values;
    this.problems = new ProblemList(values);
  }

  /** The problems of the values. */
  static List<Problem> of(SettingValues values) {
    ServerChecks checks = new ServerChecks(values);
    checks.together();
    checks.problems.checkAddress(ServerSettings.CLIENT_BIND);
    checks.files();
    checks.stack();
    checks.identity();
    checks.data();
    checks.firstUser();
    checks.collector();
    List<Problem> all =
        new ArrayList<>(ClusterChecks.of(values, List.of(ServerSettings.CLIENT_PORT)));
    all.addAll(checks.problems.all());
    return all;
  }

  private void together() {
    if (values.isGiven(ServerSettings.CERTIFICATE) != values.isGiven(ServerSettings.KEY)) {
      boolean noKey = values.isGiven(ServerSettings.CERTIFICATE);
      Setting<Path> given = noKey ? ServerSettings.CERTIFICATE : ServerSettings.KEY;
      Setting<Path> missing = noKey ? ServerSettings.KEY : ServerSettings.CERTIFICATE;
      problems.add(given, "is given without '" + missing.path() + "' (" + missing.option() + ")");
    }
    if (values.get(ServerSettings.OPEN_TO_ALL) && values.get(ServerSettings.AUTHENTICATE)) {
      problems.add(
          ServerSettings.OPEN_TO_ALL,
          "and '" + ServerSettings.AUTHENTICATE.path() + "' exclude each other");
    }
    if (values.isGiven(ServerSettings.ADMIN_PASSWORD)
        && values.isGiven(ServerSettings.ADMIN_PASSWORD_FILE)) {
      problems.add(
          ServerSettings.ADMIN_PASSWORD,
          "and '" + ServerSettings.ADMIN_PASSWORD_FILE.path() + "' exclude each other");
    }
  }

  private void files() {
    boolean tls = problems.checkFile(ServerSettings.CERTIFICATE);
    tls &= problems.checkFile(ServerSettings.KEY);
    functions();
    Path certificate = values.find(ServerSettings.CERTIFICATE);
    Path key = values.find(ServerSettings.KEY);
    if (tls && certificate != null && key != null) {
      try {
        new PemTls(certificate, key).get();
      } catch (CanopyException e) {
        problems.add(ServerSettings.CERTIFICATE, "cannot be used: " + e.detail());
      }
    }
    Path password = values.find(ServerSettings.ADMIN_PASSWORD_FILE);
    if (password != null && problems.checkFile(ServerSettings.ADMIN_PASSWORD_FILE)) {
      try {
        PasswordFile.read(password);
      } catch (CanopyException e) {
        problems.add(ServerSettings.ADMIN_PASSWORD_FILE, "cannot be used: " + e.detail());
      }
    }
  }

  private void functions() {
    Path directory = values.find(ServerSettings.FUNCTIONS);
    if (directory == null) {
      return;
    }
    if (!(Files.isDirectory(directory) && Files.isReadable(directory))) {
      problems.add(
          ServerSettings.FUNCTIONS,
          "names a directory that is not there or cannot be read: " + directory);
      return;
    }
    try {
      FunctionJars.load(directory);
    } catch (CanopyException e) {
      problems.add(ServerSettings.FUNCTIONS, "cannot be used: " + e.detail());
    }
  }

  private void stack() {
    Path stack = values.find(ClusterSettings.STACK);
    if (stack != null && isRead(stack)) {
      String problem = ClusterJoin.stackProblem(stack);
      if (problem != null) {
        problems.add(ClusterSettings.STACK, "cannot be used: " + problem);
      }
    }
  }

  private void identity() {
    Path identity = values.find(ClusterSettings.IDENTITY);
    Path trust = values.find(ClusterSettings.TRUST);
    if (identity != null && isRead(identity) && (trust == null || isRead(trust))) {
      String problem = ClusterJoin.identityProblem(identity, trust);
      if (problem != null) {
        problems.add(ClusterSettings.IDENTITY, "cannot be used: " + problem);
      }
    }
  }

  /** A file that cannot be read is told already. */
  private static boolean isRead(Path file) {
    return Files.isReadable(file) && !Files.isDirectory(file);
  }

  private void data() {
    Path directory = values.find(ClusterSettings.DATA_DIRECTORY);
    if (directory != null) {
      String problem =
          ClusterJoin.dataProblem(
              directory,
              values.get(ClusterSettings.SHARDS),
              values.find(ClusterSettings.DURABILITY));
      if (problem != null) {
        problems.add(ClusterSettings.DATA_DIRECTORY, "cannot be used: " + problem);
      }
      Long reserve = values.find(ClusterSettings.DATA_RESERVE);
      String tooMuch =
          problem != null || reserve == null
              ? null
              : ClusterJoin.reserveProblem(directory, reserve);
      if (tooMuch != null) {
        problems.add(ClusterSettings.DATA_RESERVE, tooMuch);
      }
    }
  }

  /** Checks what the form of the setting lets through: a port out of range, a wrong escape. */
  private void collector() {
    String endpoint = values.find(ServerSettings.TRACES_ENDPOINT);
    if (endpoint != null && !isUrl(endpoint)) {
      problems.add(
          ServerSettings.TRACES_ENDPOINT,
          "must be a URL such as http://localhost:4318, not '" + endpoint + "'");
    }
  }

  private static boolean isUrl(String text) {
    try {
      URI url = new URI(text);
      return url.getHost() != null && url.getPort() <= PORT_MAX && url.getPort() != 0;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /**
   * Checks that somebody can come in. A node that joins others finds their users; one that knows of
   * no others begins without any.
   */
  private void firstUser() {
    boolean isAsked = values.get(ServerSettings.AUTHENTICATE);
    boolean isGuarded =
        isAsked
            || !(problems.isLocal(ServerSettings.CLIENT_BIND)
                || values.get(ServerSettings.OPEN_TO_ALL));
    boolean isFirst =
        values.get(ClusterSettings.MEMBERS).isEmpty() && values.find(ClusterSettings.STACK) == null;
    boolean hasPassword =
        values.isGiven(ServerSettings.ADMIN_PASSWORD)
            || values.isGiven(ServerSettings.ADMIN_PASSWORD_FILE);
    if (isGuarded && isFirst && !hasPassword) {
      problems.add(
          isAsked ? ServerSettings.AUTHENTICATE : ServerSettings.CLIENT_BIND,
          "makes clients say who they are, and this node has no 'cluster.members' to have users"
              + " from: give the password of a first one, 'admin', with --admin-password-file FILE"
              + " (security.adminPasswordFile); or listen on 127.0.0.1 only; or, in a network"
              + " where only friends are, say --open-to-all");
    }
  }
}
