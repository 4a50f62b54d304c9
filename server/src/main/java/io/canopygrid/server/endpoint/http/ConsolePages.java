package io.canopygrid.server.endpoint.http;

import io.canopygrid.console.ConsoleFile;
import io.canopygrid.console.ConsoleFiles;
import java.util.Map;

/**
 * Answers requests for the files of the console. A browser keeps a file, and asks each time whether
 * it is still the same, so that a new release counts at once.
 */
final class ConsolePages {
  private static final int NOT_MODIFIED = 304;

  private ConsolePages() {}

  static ApiResponse answer(ApiRequest request, String path) throws RefusedException {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      throw new RefusedException(405, "the path has GET", "GET");
    }
    if (ConsoleFiles.lacksSlash(path)) {
      return new ApiResponse(
          308, "", new byte[0], Map.of("location", ConsoleFiles.PREFIX, "content-length", "0"));
    }
    ConsoleFile file = ConsoleFiles.find(path);
    if (file == null) {
      throw new RefusedException(404, "the console has no such file; it begins at /console/");
    }
    Map<String, String> headers =
        Map.of(
            "etag",
            file.tag(),
            "cache-control",
            "no-cache",
            "content-security-policy",
            ConsoleFiles.POLICY,
            "referrer-policy",
            "no-referrer",
            "cross-origin-opener-policy",
            "same-origin",
            "cross-origin-resource-policy",
            "same-origin");
    return file.isNamedIn(request.known())
        ? new ApiResponse(NOT_MODIFIED, "", new byte[0], headers)
        : new ApiResponse(200, file.type(), file.bytes(), headers);
  }
}
