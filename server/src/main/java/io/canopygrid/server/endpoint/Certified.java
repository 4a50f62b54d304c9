package io.canopygrid.server.endpoint;

import java.time.Instant;

/** Something with a certificate that is valid for a time only. */
public interface Certified {
  /** When it expires. */
  Instant expires();
}
