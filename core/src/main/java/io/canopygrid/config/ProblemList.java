package io.canopygrid.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what is wrong with values, each at the place where the value stands. Confined to one
 * thread.
 */
public final class ProblemList {
  private final SettingValues values;
  private final List<Problem> problems = new ArrayList<>();

  /** An empty list of problems of these values. */
  public ProblemList(SettingValues values) {
    this.values = values;
  }

  /** The problems found so far. */
  public List<Problem> all() {
    return List.copyOf(problems);
  }

  /** Adds that a setting's value is wrong; the text goes on after the setting's name. */
  public void add(Setting<?> setting, String what) {
    problems.add(Problem.at(values.at(setting), "'" + setting.path() + "' " + what));
  }

  /** Checks that an address that was given can be found. */
  public void checkAddress(Setting<String> setting) {
    if (values.isGiven(setting)) {
      try {
        InetAddress.getByName(values.get(setting));
      } catch (UnknownHostException e) {
        add(setting, "is an address that cannot be found: " + values.get(setting));
      }
    }
  }

  /**
   * Whether only this machine reaches an address. An unknown address counts as that: {@link
   * #checkAddress} tells it.
   */
  public boolean isLocal(Setting<String> setting) {
    try {
      return InetAddress.getByName(values.get(setting)).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return true;
    }
  }

  /** Checks that a file that is named can be read; whether there is such a file. */
  public boolean checkFile(Setting<Path> setting) {
    Path file = values.find(setting);
    if (file == null) {
      return false;
    }
    boolean readable = Files.isRegularFile(file) && Files.isReadable(file);
    if (!readable) {
      String what = Files.exists(file) ? "cannot be read by this user" : "does not exist";
      what = Files.isDirectory(file) ? "is a directory" : what;
      add(setting, "names a file that " + what + ": " + file);
    }
    return readable;
  }
}
