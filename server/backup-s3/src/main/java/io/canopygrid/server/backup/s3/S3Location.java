package io.canopygrid.server.backup.s3;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place in S3: {@code s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1}.
 *
 * @param prefix what all names begin with, and a slash; empty: nothing
 * @param endpoint a store other than Amazon's; null: Amazon's
 * @param region null: as AWS's own settings say
 */
record S3Location(String bucket, String prefix, @Nullable URI endpoint, @Nullable String region) {
  private static final Set<String> OPTIONS = Set.of("endpoint", "region");

  /**
   * Parses a location.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}
   */
  static S3Location of(URI uri) {
    String bucket = uri.getAuthority();
    if (bucket == null
        || bucket.contains("@")
        || bucket.contains(":")
        || uri.getFragment() != null) {
      throw wrong(
          "a place in S3 is s3://bucket/prefix, with ?endpoint= and &region= where needed; who"
              + " asks is told by AWS's own settings and environment");
    }
    Map<String, String> options = options(uri.getQuery());
    String path = uri.getPath().replaceAll("^/+|/+$", "");
    return new S3Location(
        bucket,
        path.isEmpty() ? "" : path + "/",
        endpoint(options.get("endpoint")),
        options.get("region"));
  }

  private static Map<String, String> options(@Nullable String query) {
    Map<String, String> options = new HashMap<>();
    if (query == null) {
      return options;
    }
    for (String option : query.split("&", -1)) {
      int end = option.indexOf('=');
      String name = end < 0 ? option : option.substring(0, end);
      if (end < 0 || !OPTIONS.contains(name)) {
        throw wrong("'" + name + "' is no option of a place in S3: endpoint=URI, region=NAME");
      }
      options.put(name, option.substring(end + 1));
    }
    return options;
  }

  private static @Nullable URI endpoint(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      URI uri = new URI(text);
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // The error below is for this, too.
    }
    throw wrong("the endpoint is http://host:port or https://host:port: '" + text + "'");
  }

  private static CanopyException wrong(String what) {
    return new CanopyException(ErrorCode.INVALID_ARGUMENT, what);
  }
}
