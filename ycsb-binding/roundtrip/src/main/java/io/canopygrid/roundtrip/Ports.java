package io.canopygrid.roundtrip;

import io.canopygrid.ycsb.cluster.FreePorts;
import java.io.IOException;
import java.util.List;

/** The ports at which one of the two JVMs listens for each kind of question. */
record Ports(int socket, int shippedStack, int canopyStack, int node) {
  private static final int COUNT = 4;

  /** The ports of a list in the order of the components. */
  static Ports of(List<Integer> list) {
    if (list.size() != COUNT) {
      throw new IllegalArgumentException("needs " + COUNT + " ports: " + list);
    }
    return new Ports(list.get(0), list.get(1), list.get(2), list.get(3));
  }

  /** The ports of both JVMs, all different, all free at this moment. */
  static List<Ports> pickForTwo() throws IOException {
    List<Integer> ports = FreePorts.pick(2 * COUNT);
    return List.of(of(ports.subList(0, COUNT)), of(ports.subList(COUNT, 2 * COUNT)));
  }

  /** Separated by commas. */
  @Override
  public String toString() {
    return socket + "," + shippedStack + "," + canopyStack + "," + node;
  }
}
