package io.canopygrid.jcache;

import io.canopygrid.Canopy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * The node in this JVM that is alone, as long as a manager uses it. The only class here that needs
 * {@code canopy-index-btree}. Thread-safe.
 */
final class JvmNode {
  private static @Nullable Canopy node;
  private static int users;

  private JvmNode() {}

  /** The node, which {@link #leave} lets go. */
  static synchronized Canopy enter() {
    Canopy entered = node == null ? start() : node;
    node = entered;
    users++;
    return entered;
  }

  private static Canopy start() {
    try {
      return CacheTransactions.coded(EmbeddedCanopy::start);
    } catch (NoClassDefFoundError e) {
      throw new CacheException(
          CanopyCachingProvider.STANDALONE + " needs canopy-index-btree on the class path", e);
    }
  }

  /** Lets it go; the last user closes it. */
  static synchronized void leave() {
    users--;
    if (users == 0 && node != null) {
      node.close();
      node = null;
    }
  }
}
