package io.canopygrid.server.endpoint;

import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.endpoint.access.Authentication;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.endpoint.transaction.TransactionLog;
import io.canopygrid.server.security.ScramAuthentication;
import io.canopygrid.server.security.Users;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lone node with a port for clients on this machine. */
public final class TestServer implements AutoCloseable {
  private final EmbeddedCanopy node;
  private final Users users;
  private final Endpoint endpoint;

  private TestServer(EndpointLimits limits, boolean guarded, @Nullable Supplier<SslContext> tls) {
    this(EmbeddedCanopy.start(), 0, limits, guarded, tls, null);
  }

  /** A server of a node, which becomes its own; at any port where that is 0. */
  private TestServer(
      EmbeddedCanopy node,
      int port,
      EndpointLimits limits,
      boolean guarded,
      @Nullable Supplier<SslContext> tls,
      @Nullable URI collector) {
    this.node = node;
    ServedNode served = node.served();
    users = new Users(served);
    Authentication authentication = guarded ? new ScramAuthentication(users) : Authentication.NONE;
    endpoint =
        Endpoint.start(
            served,
            new Endpoint.Settings(
                "test",
                "127.0.0.1",
                port,
                "",
                limits,
                authentication,
                users,
                tls,
                TransactionLog.Settings.DEFAULTS,
                true,
                collector,
                List.of()));
  }

  /** A server without authentication. */
  public TestServer(EndpointLimits limits) {
    this(limits, false, null);
  }

  /** A server of a node, which becomes its own; at any port where that is 0. */
  public static TestServer of(EmbeddedCanopy node, int port) {
    return new TestServer(node, port, EndpointLimits.DEFAULTS, false, null, null);
  }

  /** A server of a node, which becomes its own, that sends spans to a collector. */
  static TestServer traced(EmbeddedCanopy node, URI collector) {
    return new TestServer(node, 0, EndpointLimits.DEFAULTS, false, null, collector);
  }

  /** A server whose clients must authenticate. */
  public static TestServer guarded() {
    return new TestServer(EndpointLimits.DEFAULTS, true, null);
  }

  /** The same of a node, which becomes its own. */
  static TestServer guarded(EmbeddedCanopy node) {
    return new TestServer(node, 0, EndpointLimits.DEFAULTS, true, null, null);
  }

  /** A server that speaks TLS only. */
  static TestServer withTls(Supplier<SslContext> tls) {
    return new TestServer(EndpointLimits.DEFAULTS, false, tls);
  }

  public EmbeddedCanopy node() {
    return node;
  }

  public Users users() {
    return users;
  }

  Endpoint endpoint() {
    return endpoint;
  }

  public String address() {
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
