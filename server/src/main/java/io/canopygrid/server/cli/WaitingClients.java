package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.WaitListener;
import io.canopygrid.server.endpoint.netty.WaitingNode;
import io.canopygrid.server.endpoint.netty.WaitingPort;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port for clients as long as the node waits for disks of others: from the first time that it
 * says so the port answers with that. Where the configuration gives no port it is not known yet,
 * and only the log says it. Thread-safe.
 */
final class WaitingClients implements WaitListener, WaitingNode, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingClients.class);
  private static final String STARTS = "the node starts";

  private final ClientPort clients;
  private final ReservedPort reserved;
  private volatile String why = STARTS;
  private volatile @Nullable LostDisks disks;

  // Guarded by this object.
  private @Nullable WaitingPort port;
  private boolean isOver;

  /**
   * Waits for nothing yet.
   *
   * @param reserved is given free for the port
   */
  WaitingClients(ClientPort clients, ReservedPort reserved) {
    this.clients = clients;
    this.reserved = reserved;
  }

  @Override
  public String why() {
    return why;
  }

  @Override
  public @Nullable LostDisks disks() {
    return disks;
  }

  @Override
  public boolean isGuarded() {
    return clients.isGuarded();
  }

  @Override
  public void canBeTold(@Nullable LostDisks round) {
    disks = round;
  }

  @Override
  public synchronized void waits(String words) {
    why = words.isEmpty() ? STARTS : words;
    if (port != null || isOver || words.isEmpty() || clients.config().clients().port().isEmpty()) {
      return;
    }
    try {
      reserved.close();
      port = clients.openWaiting(this);
    } catch (CanopyException e) {
      LOG.warn("health is not told while the node waits: {}", e.getMessage());
      isOver = true;
    }
  }

  /** Gives the port free; nothing is said there any more. Does nothing a second time. */
  synchronized void end() {
    isOver = true;
    if (port != null) {
      port.close();
      port = null;
    }
  }

  @Override
  public void close() {
    end();
  }
}
