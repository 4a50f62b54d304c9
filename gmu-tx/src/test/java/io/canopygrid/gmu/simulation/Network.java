package io.canopygrid.gmu.simulation;

/** How long messages take, and which arrive twice. */
final class Network {
  private final SeededRandom random;
  private final double slow;
  private final int far;
  private final double repeated;

  Network(SeededRandom random) {
    this.random = random;
    this.slow = random.oneOf(0, 0.05, 0.2);
    this.far = random.oneOf(150, 400);
    this.repeated = random.oneOf(0, 0.03);
  }

  int delay() {
    return random.chance(slow) ? random.between(20, far) : random.between(1, 10);
  }

  boolean repeats() {
    return random.chance(repeated);
  }
}
