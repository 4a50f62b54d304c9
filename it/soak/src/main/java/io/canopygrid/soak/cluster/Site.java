package io.canopygrid.soak.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The place in which the nodes of a cluster run. Confined to a thread. */
public interface Site {
  /**
   * {@code host:port} of where a node can listen, each for one node at a time. No other node
   * listens on any of them.
   *
   * @param count how many are needed at least
   */
  List<String> places(int count) throws IOException;

  /**
   * Starts a node that does nothing until it is told to.
   *
   * @param log gets what it writes to its standard error
   */
  Running start(String name, String place, Path log, List<String> jvmOptions) throws IOException;

  /** A node's process. */
  interface Running {
    OutputStream input();

    InputStream output();

    /** Ends it as if the power was cut; returns when it has ended. */
    void kill() throws IOException;

    /** Stops it as it stands, threads and all. */
    void pause() throws IOException;

    /** Lets it go on. */
    void resume() throws IOException;

    /** Waits until the process has ended; false: it has not ended in time. */
    boolean await(Duration limit) throws InterruptedException;
  }
}
