package io.canopygrid.roundtrip;

import io.canopygrid.ycsb.bench.Benchmark;

/** Adds {@code canopy bench roundtrip}. */
public final class RoundTripBenchmark implements Benchmark {
  /** For {@link java.util.ServiceLoader}. */
  public RoundTripBenchmark() {}

  @Override
  public Object command() {
    return new RoundTripCommand();
  }
}
