package io.canopygrid.junit.simulation;

/** The program of a client, in a test. */
@FunctionalInterface
public interface ClientBody {
  /**
   * Does the client's work at the node that {@link ScenarioClient#canopy} is the handle of.
   *
   * @throws Exception fails the run, unless the client's node has died
   */
  void run(ScenarioClient client) throws Exception;
}
