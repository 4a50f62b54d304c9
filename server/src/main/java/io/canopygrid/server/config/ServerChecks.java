package io.canopygrid.server.config;

import io.canopygrid.CanopyException;
import io.canopygrid.config.ClusterChecks;
import io.canopygrid.config.ClusterSettings;
import io.canopygrid.config.Problem;
import io.canopygrid.config.ProblemList;
import io.canopygrid.config.Setting;
import io.canopygrid.config.SettingValues;
import io.canopygrid.server.security.PasswordFile;
import io.canopygrid.server.security.PemTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks of settings against each other, and of the files that they name. */
final class ServerChecks {
  /** Where a node of the default stack listens for nodes beside its port, as distances from it. */
  private static final List<Integer> NODE_PORTS_ABOVE = List.of(100, 200);

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
    List<Problem> all = new ArrayList<>(ClusterChecks.of(values));
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
    ports();
  }

  /** Checks that the port for clients is none of those that the node opens for other nodes. */
  private void ports() {
    Integer clients = values.find(ServerSettings.CLIENT_PORT);
    int node = values.get(ClusterSettings.PORT);
    if (clients == null || clients == 0 || node == 0) {
      return;
    }
    String name = "'" + ClusterSettings.PORT.path() + "'";
    int above = clients - node;
    if (above == 0) {
      problems.add(ServerSettings.CLIENT_PORT, "is the same as " + name);
    } else if (NODE_PORTS_ABOVE.contains(above) && values.find(ClusterSettings.STACK) == null) {
      problems.add(
          ServerSettings.CLIENT_PORT,
          ("is " + name + " + " + above + ", which this node opens for other nodes: give one of")
              + " the two another number");
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
    if (directory != null && !(Files.isDirectory(directory) && Files.isReadable(directory))) {
      problems.add(
          ServerSettings.FUNCTIONS,
          "names a directory that is not there or cannot be read: " + directory);
    }
  }
}
