package io.canopygrid.gmu.simulation;

/** The faults of a run, which are planned round by round. */
public interface FaultRounds {
  /**
   * Plans some faults, from now on.
   *
   * @return the time at which the last of them begins at the latest
   */
  long plan();
}
