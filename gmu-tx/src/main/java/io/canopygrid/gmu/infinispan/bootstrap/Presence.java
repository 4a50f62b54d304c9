package io.canopygrid.gmu.infinispan.bootstrap;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that can be known of another member's process from outside. */
enum Presence {
  /** Connections are taken there. */
  LISTENS,
  /** Its machine has answered that nobody listens at that port. */
  ABSENT,
  /** Nothing has answered, or the name is unknown: the process may run behind a cut. */
  UNKNOWN;

  private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

  /** Less than the kernel takes to give up, so that a refusal is the machine's own answer. */
  private static final int CONNECT_MILLIS = 500;

  /** Tries to connect, for half a second at most. */
  static Presence of(InetSocketAddress host) {
    if (host.isUnresolved()) {
      return UNKNOWN;
    }
    try (Socket socket = new Socket()) {
      socket.connect(host, CONNECT_MILLIS);
      return LISTENS;
    } catch (ConnectException e) {
      return ABSENT;
    } catch (IOException e) {
      LOG.debug("no answer from {}: {}", host, e.getMessage());
      return UNKNOWN;
    }
  }
}
