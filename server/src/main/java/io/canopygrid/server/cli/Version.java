package io.canopygrid.server.cli;

import io.canopygrid.server.release.Release;
import picocli.CommandLine.IVersionProvider;

/** The version of the release. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"canopy " + Release.version() + " on Java " + Runtime.version()};
  }
}
