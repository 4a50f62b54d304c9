package io.canopygrid.jcache;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.server.endpoint.Endpoint;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.security.Users;

/** A server in this JVM, at a free port. */
final class TestServer implements AutoCloseable {
  private final EmbeddedCanopy node = EmbeddedCanopy.start();
  private final Endpoint endpoint =
      Endpoint.start(
          node.served(),
          new Endpoint.Settings(
              "test",
              "127.0.0.1",
              0,
              "",
              EndpointLimits.DEFAULTS,
              Authentication.NONE,
              new Users(node.served()),
              null));

  String address() {
    return endpoint.address();
  }

  @Override
  public void close() {
    endpoint.close();
    node.close();
  }
}
