package io.canopygrid.gmu.infinispan.tls;

import io.canopygrid.pem.CertificateMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Identities of clusters, made for a test. */
public final class Identities {
  private static final int DAYS = 30;

  private Identities() {}

  /** The identity of a new cluster, in that file. */
  public static NodeIdentity of(Path file) throws IOException {
    CertificateMaker.writeForCluster(file, DAYS);
    return NodeIdentity.read(file, Optional.empty());
  }

  /** A file with an identity whose certificate is not valid any more. */
  static Path expired(Path directory) throws IOException {
    CertificateMaker.writeForServer(
        directory, List.of("localhost"), List.of("-startdate", "-3d", "-validity", "1"));
    String all = "";
    for (String part : List.of("key.pem", "cert.pem", "ca.pem")) {
      all += Files.readString(directory.resolve(part));
    }
    return Files.writeString(directory.resolve("expired.pem"), all);
  }
}
