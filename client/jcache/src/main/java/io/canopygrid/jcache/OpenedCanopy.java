package io.canopygrid.jcache;

import io.canopygrid.Canopy;
import io.canopygrid.client.RemoteCanopy;
import java.net.URI;
import java.util.Properties;
import javax.cache.CacheException;

/**
 * The handle of a manager, and how that lets it go.
 *
 * @param canopy the handle
 * @param close closes it, if the manager has opened it
 */
record OpenedCanopy(Canopy canopy, Runnable close) {
  /**
   * Finds or opens the handle.
   *
   * @throws CacheException if there is none by this URI
   */
  static OpenedCanopy of(URI uri, Properties properties) {
    Object given = properties.get(CanopyCachingProvider.CANOPY);
    if (given instanceof Canopy canopy) {
      return new OpenedCanopy(canopy, () -> {});
    }
    if (given != null) {
      throw new CacheException(
          "the property "
              + CanopyCachingProvider.CANOPY
              + " is a "
              + given.getClass().getName()
              + ", not a Canopy");
    }
    String text = uri.toString();
    if (text.equals(CanopyCachingProvider.STANDALONE)) {
      return new OpenedCanopy(JvmNode.enter(), JvmNode::leave);
    }
    if (!text.startsWith("canopy://") && !text.startsWith("canopys://")) {
      throw new CacheException(
          "the URI of a manager is canopy://host:port,host:port or canopys:// or "
              + CanopyCachingProvider.STANDALONE
              + ": its scheme is "
              + uri.getScheme());
    }
    Canopy remote = CacheTransactions.<Canopy>coded(() -> RemoteCanopy.connect(text));
    return new OpenedCanopy(remote, remote::close);
  }
}
