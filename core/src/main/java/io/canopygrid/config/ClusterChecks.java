package io.canopygrid.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Checks the address and the file that the settings of a cluster name. */
public final class ClusterChecks {
  private ClusterChecks() {}

  /** The problems of the values; empty: there are none. */
  public static List<Problem> of(SettingValues values) {
    return of(values, List.of());
  }

  /** The same for a node that opens more ports than those for other nodes. */
  public static List<Problem> of(SettingValues values, List<Setting<Integer>> morePorts) {
    ProblemList problems = new ProblemList(values);
    problems.checkAddress(ClusterSettings.BIND_ADDRESS);
    problems.checkFile(ClusterSettings.STACK);
    checkAdmission(values, problems);
    checkData(values, problems);
    NodePorts ports = new NodePorts(values, problems);
    morePorts.forEach(setting -> ports.add(setting, values.find(setting)));
    return problems.all();
  }

  /** A stack of the user's own may keep strangers out, which is known when it is read. */
  private static void checkAdmission(SettingValues values, ProblemList problems) {
    problems.checkFile(ClusterSettings.IDENTITY);
    problems.checkFile(ClusterSettings.TRUST);
    boolean hasIdentity = values.isGiven(ClusterSettings.IDENTITY);
    if (values.isGiven(ClusterSettings.TRUST) && !hasIdentity) {
      problems.add(
          ClusterSettings.TRUST,
          String.format(
              Locale.ROOT,
              "is given without '%s' (%s)",
              ClusterSettings.IDENTITY.path(),
              ClusterSettings.IDENTITY.option()));
    }
    boolean trusts = values.get(ClusterSettings.TRUST_NETWORK);
    if (trusts && hasIdentity) {
      problems.add(
          ClusterSettings.TRUST_NETWORK,
          "and '" + ClusterSettings.IDENTITY.path() + "' exclude each other");
    }
    boolean isGuarded = hasIdentity || trusts || values.isGiven(ClusterSettings.STACK);
    if (!isGuarded && !problems.isLocal(ClusterSettings.BIND_ADDRESS)) {
      problems.add(
          ClusterSettings.BIND_ADDRESS,
          "is an address that other machines reach, and whoever reaches it could be a node and read"
              + " everything: give all nodes an identity with "
              + ClusterSettings.IDENTITY.option()
              + " FILE ("
              + ClusterSettings.IDENTITY.path()
              + "; 'canopy cert cluster FILE' makes one); or, in a network where only friends are,"
              + " say "
              + ClusterSettings.TRUST_NETWORK.option());
    }
  }

  private static void checkData(SettingValues values, ProblemList problems) {
    Setting<Path> directory = ClusterSettings.DATA_DIRECTORY;
    if (values.isGiven(directory) && values.get(ClusterSettings.OWNERS) < 2) {
      problems.add(
          ClusterSettings.OWNERS,
          String.format(
              Locale.ROOT,
              "must be 2 or more with '%s' (%s): with 1, others would take the shards of a node"
                  + " that is down for empty ones",
              directory.path(),
              directory.option()));
    }
    for (Setting<?> ofDisk :
        List.of(
            ClusterSettings.DURABILITY, ClusterSettings.DATA_RESERVE, ClusterSettings.MEMORY_MAX)) {
      if (values.isGiven(ofDisk) && !values.isGiven(directory)) {
        problems.add(
            ofDisk,
            String.format(
                Locale.ROOT,
                "is given without '%s' (%s): give the directory too, or remove this setting to keep"
                    + " data in memory only",
                directory.path(),
                directory.option()));
      }
    }
  }
}
