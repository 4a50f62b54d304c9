package io.canopygrid.server.endpoint.access;

import java.time.Instant;

/** Has a certificate, which expires. */
public interface CertificateHolder {
  /** The time at which the certificate expires. */
  Instant expires();
}
