package io.canopygrid.config;

import java.util.List;

/** Checks the address and the file that the settings of a cluster name. */
public final class ClusterChecks {
  private ClusterChecks() {}

  /** The problems of the values; empty: there are none. */
  public static List<Problem> of(SettingValues values) {
    ProblemList problems = new ProblemList(values);
    problems.checkAddress(ClusterSettings.BIND_ADDRESS);
    problems.checkFile(ClusterSettings.STACK);
    return problems.all();
  }
}
