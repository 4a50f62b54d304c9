package io.canopygrid.server.endpoint;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.embedded.ServedNode;

/** A lone node with a port for clients on this machine. */
final class TestServer implements AutoCloseable {
  private final EmbeddedCanopy node;
  private final ServedNode served;
  private final Endpoint endpoint;

  TestServer(EndpointLimits limits) {
    this(limits, Authentication.NONE);
  }

  TestServer(EndpointLimits limits, Authentication authentication) {
    node = EmbeddedCanopy.start();
    served = node.served();
    endpoint =
        Endpoint.start(
            served,
            new Endpoint.Settings("test", "127.0.0.1", 0, "", limits, authentication, null));
  }

  EmbeddedCanopy node() {
    return node;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  String address() {
    return endpoint.address();
  }

  int port() {
    return Integer.parseInt(address().substring(address().lastIndexOf(':') + 1));
  }

  @Override
  public void close() {
    endpoint.close();
    node.close();
  }
}
