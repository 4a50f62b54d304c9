package io.canopygrid.server.config;

import io.canopygrid.CanopyException;
import io.canopygrid.server.security.PasswordFile;
import io.canopygrid.server.security.PemTls;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What must hold between settings, and of the files that they name. */
final class Checks {
  private final Values values;
  private final List<Problem> problems = new ArrayList<>();

  private Checks(Values values) {
    this.values = values;
  }

  /** What is wrong. */
  static List<Problem> of(Values values) {
    Checks checks = new Checks(values);
    checks.together();
    checks.addresses();
    checks.files();
    return checks.problems;
  }

  private void wrong(Setting<?> setting, String what) {
    problems.add(Problem.at(values.at(setting), "'" + setting.path() + "' " + what));
  }

  private void together() {
    if (values.isGiven(Settings.CERTIFICATE) != values.isGiven(Settings.KEY)) {
      boolean noKey = values.isGiven(Settings.CERTIFICATE);
      Setting<Path> given = noKey ? Settings.CERTIFICATE : Settings.KEY;
      Setting<Path> missing = noKey ? Settings.KEY : Settings.CERTIFICATE;
      wrong(given, "is given without '" + missing.path() + "' (" + missing.option() + ")");
    }
    if (values.get(Settings.OPEN_TO_ALL) && values.get(Settings.AUTHENTICATE)) {
      wrong(Settings.OPEN_TO_ALL, "and '" + Settings.AUTHENTICATE.path() + "' exclude each other");
    }
    if (values.isGiven(Settings.ADMIN_PASSWORD) && values.isGiven(Settings.ADMIN_PASSWORD_FILE)) {
      wrong(
          Settings.ADMIN_PASSWORD,
          "and '" + Settings.ADMIN_PASSWORD_FILE.path() + "' exclude each other");
    }
    Integer clients = values.find(Settings.CLIENT_PORT);
    if (clients != null && clients != 0 && clients.equals(values.get(Settings.PORT))) {
      wrong(Settings.CLIENT_PORT, "is the same as '" + Settings.PORT.path() + "'");
    }
  }

  private void addresses() {
    for (Setting<String> setting : List.of(Settings.BIND_ADDRESS, Settings.CLIENT_BIND)) {
      if (values.isGiven(setting)) {
        try {
          InetAddress.getByName(values.get(setting));
        } catch (UnknownHostException e) {
          wrong(setting, "is an address that cannot be found: " + values.get(setting));
        }
      }
    }
  }

  private void files() {
    boolean tls = isThere(Settings.CERTIFICATE);
    tls &= isThere(Settings.KEY);
    isThere(Settings.STACK);
    functions();
    Path certificate = values.find(Settings.CERTIFICATE);
    Path key = values.find(Settings.KEY);
    if (tls && certificate != null && key != null) {
      try {
        new PemTls(certificate, key).get();
      } catch (CanopyException e) {
        wrong(Settings.CERTIFICATE, "cannot be used: " + e.detail());
      }
    }
    Path password = values.find(Settings.ADMIN_PASSWORD_FILE);
    if (password != null && isThere(Settings.ADMIN_PASSWORD_FILE)) {
      try {
        PasswordFile.read(password);
      } catch (CanopyException e) {
        wrong(Settings.ADMIN_PASSWORD_FILE, "cannot be used: " + e.detail());
      }
    }
  }

  private void functions() {
    Path directory = values.find(Settings.FUNCTIONS);
    if (directory != null && !(Files.isDirectory(directory) && Files.isReadable(directory))) {
      wrong(
          Settings.FUNCTIONS,
          "names a directory that is not there or cannot be read: " + directory);
    }
  }

  private boolean isThere(Setting<Path> setting) {
    Path file = values.find(setting);
    if (file == null) {
      return false;
    }
    boolean readable = Files.isRegularFile(file) && Files.isReadable(file);
    if (!readable) {
      String what = Files.exists(file) ? "cannot be read by this user" : "does not exist";
      what = Files.isDirectory(file) ? "is a directory" : what;
      wrong(setting, "names a file that " + what + ": " + file);
    }
    return readable;
  }
}
