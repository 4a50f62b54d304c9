package io.canopygrid.ycsb.bench;

/**
 * A benchmark that another module adds to {@code canopy bench}, found by {@link
 * java.util.ServiceLoader}. Used by one thread, once per command line.
 */
public interface Benchmark {
  /** The command, as of {@link io.canopygrid.server.cli.Subcommand#command()}. */
  Object command();
}
