package io.canopygrid.gmu.infinispan.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.pem.CertificateMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that cannot be an identity are refused when they are read. */
final class NodeIdentityTest {
  @TempDir private static Path directory;
  private static Path own;
  private static Path other;
  private static String text = "";

  @BeforeAll
  static void make() throws IOException {
    own = directory.resolve("own.pem");
    other = directory.resolve("other.pem");
    CertificateMaker.writeForCluster(own, 30);
    CertificateMaker.writeForCluster(other, 30);
    text = Files.readString(own);
  }

  @Test
  void whatTheCommandMakesIsOne() throws IOException {
    NodeIdentity identity = NodeIdentity.read(own, Optional.empty());
    assertThat(Duration.between(Instant.now(), identity.expires()).toDays()).isBetween(28L, 30L);
  }

  @Test
  void theKeyMustBeThereAndBeThatOfTheCertificate() throws IOException {
    int end = text.indexOf("-----BEGIN CERTIFICATE");
    assertRefused(text.substring(end), "has no PRIVATE KEY in it");
    String foreign = Files.readString(other);
    assertRefused(
        foreign.substring(0, foreign.indexOf("-----BEGIN CERTIFICATE")) + text.substring(end),
        "the key is not that of the certificate");
    assertRefused(text.substring(0, end), "has no CERTIFICATE in it");
  }

  @Test
  void theAuthorityMustBeThereAndHaveSignedIt() throws IOException {
    int last = text.lastIndexOf("-----BEGIN CERTIFICATE");
    assertRefused(text.substring(0, last), "has no certificate of an authority in it");
    assertThatThrownBy(() -> NodeIdentity.read(own, Optional.of(other)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nodes would not let in one with");
  }

  @Test
  void anExpiredOneIsRefused() throws IOException {
    Path expired = Identities.expired(directory);
    assertThatThrownBy(() -> NodeIdentity.read(expired, Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nodes would not let in one with")
        .hasMessageContaining("NotAfter");
  }

  @Test
  void damagedAndOtherFilesAreRefused() throws IOException {
    assertRefused("", "has no CERTIFICATE in it");
    assertRefused(
        text.replaceFirst("CERTIFICATE-----\nMII", "CERTIFICATE-----\nAAA"), "is damaged");
    Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 0, 1});
    assertThatThrownBy(() -> NodeIdentity.read(binary, Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is no PEM file");
  }

  private static void assertRefused(String content, String why) throws IOException {
    Path file = Files.writeString(directory.resolve("changed.pem"), content);
    assertThatThrownBy(() -> NodeIdentity.read(file, Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
  }
}
