package io.canopygrid.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.pem.CertificateMaker;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that have changed are read again, unless they are wrong. */
final class PemTlsTest {
  @TempDir private Path directory;

  @Test
  void aNewCertificateIsTakenAndABrokenOneIsNot() throws IOException {
    Path certificate = directory.resolve("cert.pem");
    CertificateMaker.writeForServer(directory, List.of("localhost"), List.of());
    PemTls tls = new PemTls(certificate, directory.resolve("key.pem"), 0);
    SslContext first = tls.get();
    assertThat(tls.get()).isSameAs(first);

    CertificateMaker.writeForServer(directory, List.of("localhost"), List.of());
    Files.setLastModifiedTime(certificate, FileTime.fromMillis(1_000_000_000_000L));
    Files.setLastModifiedTime(directory.resolve("key.pem"), FileTime.fromMillis(1));
    SslContext second = tls.get();
    assertThat(second).isNotSameAs(first);

    Files.writeString(certificate, "broken");
    Files.setLastModifiedTime(certificate, FileTime.fromMillis(1_100_000_000_000L));
    assertThat(tls.get()).isSameAs(second);
  }

  @Test
  void theSecondOfTwoFilesIsNoticedAlsoWhenItIsOlder() throws IOException {
    Path certificate = directory.resolve("cert.pem");
    Path key = directory.resolve("key.pem");
    CertificateMaker.writeForServer(directory, List.of("localhost"), List.of());
    PemTls tls = new PemTls(certificate, key, 0);
    SslContext first = tls.get();

    Path next = directory.resolve("next");
    CertificateMaker.writeForServer(next, List.of("localhost"), List.of());
    Files.setLastModifiedTime(next.resolve("cert.pem"), FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(next.resolve("key.pem"), FileTime.fromMillis(4_000_000_000_000L));
    Files.move(next.resolve("key.pem"), key, StandardCopyOption.REPLACE_EXISTING);
    assertThat(tls.get()).as("the new key does not fit the old certificate").isSameAs(first);

    Files.move(next.resolve("cert.pem"), certificate, StandardCopyOption.REPLACE_EXISTING);
    assertThat(tls.get()).isNotSameAs(first);
  }
}
