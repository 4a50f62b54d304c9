package io.canopygrid.server.backup.store;

import java.net.URI;
import java.util.Optional;

/** A kind of store that another module adds, found by {@link java.util.ServiceLoader}. */
public interface BlobStoreProvider {
  /**
   * The store of a location.
   *
   * @return empty: the location is of another kind
   * @throws io.canopygrid.CanopyException where the location is wrong
   */
  Optional<BlobStore> open(URI location);
}
