package io.canopygrid.server.backup.store;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/** Opens stores by what users type: a directory, or a URI of a kind that a module brings. */
public final class BlobStores {
  private static final Pattern URI_FORM = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+://.*");

  private BlobStores() {}

  /**
   * The store of a location, which need not exist yet. The caller closes it.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  public static BlobStore open(String location) {
    if (!URI_FORM.matcher(location).matches()) {
      return new DirectoryStore(directory(location));
    }
    URI uri;
    try {
      uri = new URI(location);
    } catch (URISyntaxException e) {
      throw wrong(location, "is no URI: " + e.getMessage());
    }
    for (BlobStoreProvider kind : ServiceLoader.load(BlobStoreProvider.class)) {
      Optional<BlobStore> store = kind.open(uri);
      if (store.isPresent()) {
        return store.get();
      }
    }
    throw wrong(
        location,
        "is of a kind that is not there: for " + uri.getScheme() + ":// its module is needed");
  }

  private static Path directory(String location) {
    try {
      return Path.of(location).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw wrong(location, "is no path: " + e.getMessage());
    }
  }

  private static CanopyException wrong(String location, String what) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, "'" + location + "' " + what);
  }
}
