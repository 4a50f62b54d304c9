package io.canopygrid.roundtrip;

import io.canopygrid.roundtrip.jgroups.CanopyStack;
import io.canopygrid.roundtrip.jgroups.ShippedStack;
import java.io.IOException;
import java.util.List;

/** The JVM that is asked: it answers on every layer. Thread-safe. */
final class Partner implements AutoCloseable {
  private final Ports ports;
  private final OpenResources opened = new OpenResources();

  /** Founds all groups that there are. */
  Partner(Ports ports) throws IOException {
    this.ports = ports;
    boolean complete = false;
    try {
      opened.add(new SocketEcho(ports.socket()));
      opened.add(new ShippedStack(List.of(ports.shippedStack()), MessageSizes::answerTo));
      opened.add(new CanopyStack(List.of(ports.canopyStack()), MessageSizes::answerTo));
      opened.add(new GridNode(List.of(ports.node())));
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  /** The ports on which it listens. */
  Ports ports() {
    return ports;
  }

  @Override
  public void close() {
    opened.close();
  }
}
