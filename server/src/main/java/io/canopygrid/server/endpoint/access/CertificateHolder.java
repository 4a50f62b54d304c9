package io.canopygrid.server.endpoint.access;

import java.time.Instant;

/** Has a certificate, which expires. */
public interface CertificateHolder {
  /** When the certificate expires. */
  Instant expires();
}
