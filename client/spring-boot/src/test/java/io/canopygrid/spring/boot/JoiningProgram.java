package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.EmbeddedCanopy;

/** A program that is run with another class path. */
public final class JoiningProgram {
  private JoiningProgram() {}

  /** The text of the error with which joining a cluster ends. */
  public static String run(String cluster) {
    try (Canopy db = EmbeddedCanopy.join(ClusterConfig.of(cluster).port(0))) {
      return "joined " + db.grid();
    } catch (CanopyException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
