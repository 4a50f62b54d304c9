package io.canopygrid.server.backup.s3;

import io.canopygrid.server.backup.store.BlobStore;
import io.canopygrid.server.backup.store.BlobStoreProvider;
import java.net.URI;
import java.util.Optional;

/** The stores of locations that begin with {@code s3://}. */
public final class S3Stores implements BlobStoreProvider {
  /** For {@link java.util.ServiceLoader}. */
  public S3Stores() {}

  @Override
  public Optional<BlobStore> open(URI location) {
    return "s3".equals(location.getScheme())
        ? Optional.of(S3Store.open(S3Location.of(location)))
        : Optional.empty();
  }
}
