package io.canopygrid.server.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the build, which Maven writes into a resource. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IOException("version.properties is not on the class path: incomplete build");
      }
      build.load(in);
    }
    return new String[] {
      "canopy " + build.getProperty("version") + " on Java " + Runtime.version()
    };
  }
}
