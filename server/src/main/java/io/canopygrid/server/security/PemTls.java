package io.canopygrid.server.security;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.pem.PemFile;
import io.canopygrid.server.endpoint.access.CertificateHolder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS settings of a server, with a certificate and a key from PEM files. The files are read
 * again when they have changed, and new connections have the new certificate. A file that cannot be
 * read is logged, and the old certificate stays. Thread-safe.
 */
public final class PemTls implements Supplier<SslContext>, CertificateHolder {
  private static final Logger LOG = LoggerFactory.getLogger(PemTls.class);
  private static final Duration EXPIRES_SOON = Duration.ofDays(14);
  private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path certificates;
  private final Path key;
  private final long lookEveryNanos;
  private SslContext current;
  private Instant expires = Instant.MAX;
  private Stamp changed;
  private long lookedNanos = System.nanoTime();

  /**
   * Reads the files.
   *
   * @param certificates the server's certificate, and the intermediate certificates up to a trusted
   *     one
   * @param key its private key, PKCS #8 without a password
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID}
   */
  public PemTls(Path certificates, Path key) {
    this(certificates, key, LOOK_EVERY_NANOS);
  }

  PemTls(Path certificates, Path key, long lookEveryNanos) {
    this.certificates = certificates;
    this.key = key;
    this.lookEveryNanos = lookEveryNanos;
    try {
      this.changed = changed();
      this.current = read();
    } catch (IOException | IllegalArgumentException e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "no TLS with " + certificates + " and " + key + ": " + e.getMessage(),
          e);
    }
  }

  @Override
  public synchronized SslContext get() {
    long now = System.nanoTime();
    if (now - lookedNanos >= lookEveryNanos) {
      lookedNanos = now;
      readAgain();
    }
    return current;
  }

  private void readAgain() {
    try {
      Stamp last = changed();
      if (!last.equals(changed)) {
        changed = last;
        current = read();
        LOG.info("the certificate {} was read again", certificates);
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn(
          "the certificate {} cannot be read again, the old one stays: {}",
          certificates,
          e.getMessage());
    }
  }

  /** The times of both files, since one may be replaced long after the other and be older. */
  private record Stamp(FileTime certificates, FileTime key) {}

  private Stamp changed() throws IOException {
    return new Stamp(Files.getLastModifiedTime(certificates), Files.getLastModifiedTime(key));
  }

  private SslContext read() throws IOException {
    SslContext read =
        SslContextBuilder.forServer(certificates.toFile(), key.toFile())
            .protocols("TLSv1.3", "TLSv1.2")
            .build();
    X509Certificate own = PemFile.read(certificates).certificates().get(0);
    PemFile.read(key).keyOf(own);
    expires = own.getNotAfter().toInstant();
    if (expires.isBefore(Instant.now().plus(EXPIRES_SOON))) {
      LOG.warn("the certificate {} expires at {}: replace it", certificates, expires);
    }
    return read;
  }

  @Override
  public synchronized Instant expires() {
    return expires;
  }
}
