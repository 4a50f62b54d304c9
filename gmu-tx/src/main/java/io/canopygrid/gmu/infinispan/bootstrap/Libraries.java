package io.canopygrid.gmu.infinispan.bootstrap;

import java.util.Locale;
import org.infinispan.commons.util.Version;

/** The Infinispan and the JGroups on the class path. */
public final class Libraries {
  private Libraries() {}

  /**
   * Says that they do not fit, and what to do: frameworks pin older releases.
   *
   * @param cause for something that they lack
   */
  public static String unfit(LinkageError cause) {
    return String.format(
        Locale.ROOT,
        "Infinispan %s with JGroups %s is on the class path, and this release needs Infinispan 16.0"
            + " or newer: import canopy-bom before any other list of versions (%s)",
        Version.getVersion(),
        org.jgroups.Version.description,
        cause);
  }
}
