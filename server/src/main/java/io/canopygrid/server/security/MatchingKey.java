package io.canopygrid.server.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that a private key belongs to a certificate. TLS libraries do not check it, and with a
 * wrong key every handshake fails.
 */
final class MatchingKey {
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final byte[] PROBE = {1, 2, 3};

  private MatchingKey() {}

  /**
   * Checks a key.
   *
   * @throws IOException if the key cannot be read or belongs to another certificate
   */
  static void check(X509Certificate certificate, Path key) throws IOException {
    try {
      String algorithm = certificate.getPublicKey().getAlgorithm();
      Signature signature = Signature.getInstance(signatureBy(algorithm));
      signature.initSign(read(key, algorithm));
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(PROBE);
      if (!signature.verify(signed)) {
        throw new IOException("the key is not that of the certificate");
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("the key is not that of the certificate: " + e.getMessage(), e);
    }
  }

  private static String signatureBy(String algorithm) {
    return switch (algorithm) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> algorithm;
    };
  }

  private static PrivateKey read(Path key, String algorithm)
      throws IOException, GeneralSecurityException {
    Matcher pem = PEM.matcher(Files.readString(key));
    if (!pem.find()) {
      throw new IOException(key + " has no PRIVATE KEY in it (PKCS #8 without a password)");
    }
    byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
  }
}
