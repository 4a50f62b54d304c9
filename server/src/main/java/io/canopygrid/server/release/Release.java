package io.canopygrid.server.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The release that runs, of which Maven writes the version into a resource. */
public final class Release {
  private static final String VERSION = read();

  private Release() {}

  /** The version: {@code 0.1.0}. */
  public static String version() {
    return VERSION;
  }

  private static String read() {
    Properties build = new Properties();
    try (InputStream in = Release.class.getResourceAsStream("release.properties")) {
      if (in == null) {
        throw new IOException("release.properties is not on the class path: incomplete build");
      }
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version");
  }
}
