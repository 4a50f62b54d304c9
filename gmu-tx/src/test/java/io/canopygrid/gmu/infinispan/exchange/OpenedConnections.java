package io.canopygrid.gmu.infinispan.exchange;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The connections that a model has opened, and those that a thread of it uses. Thread-safe. */
final class OpenedConnections {
  private final Map<BlockingConnection, SilentChannel> channels = new ConcurrentHashMap<>();
  private final Set<BlockingConnection> used = ConcurrentHashMap.newKeySet();

  BlockingConnection open() throws IOException {
    SilentChannel channel = new SilentChannel();
    BlockingConnection connection = new BlockingConnection(channel);
    channels.put(connection, channel);
    return connection;
  }

  /** Uses a connection for a moment; false: another thread uses it too. */
  boolean isUsedAlone(BlockingConnection connection) {
    boolean first = used.add(connection);
    boolean last = used.remove(connection);
    return first && last;
  }

  boolean isOpen(BlockingConnection connection) {
    SilentChannel channel = channels.get(connection);
    return channel != null && channel.isOpen();
  }

  /** The number of connections that are not closed. */
  long openCount() {
    return channels.values().stream().filter(SilentChannel::isOpen).count();
  }

  /** The number of all connections, also those that are closed. */
  int count() {
    return channels.size();
  }
}
