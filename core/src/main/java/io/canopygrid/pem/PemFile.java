package io.canopygrid.pem;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a PEM file, in the order in which they stand there. Immutable.
 *
 * @param file the file that they were read from
 * @param parts each with its name and its bytes
 */
public record PemFile(Path file, List<Part> parts) {
  private static final Pattern PART =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";
  private static final byte[] PROBE = {1, 2, 3};

  /**
   * One part.
   *
   * @param name of what it is, such as {@code CERTIFICATE}
   * @param base64 its bytes as text
   */
  record Part(String name, String base64) {
    byte[] bytes() {
      return Base64.getMimeDecoder().decode(base64);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException where it cannot be read, or is no text
   */
  public static PemFile read(Path file) throws IOException {
    List<Part> parts = new ArrayList<>();
    try {
      Matcher matcher = PART.matcher(Files.readString(file, StandardCharsets.US_ASCII));
      while (matcher.find()) {
        parts.add(new Part(matcher.group(1), matcher.group(2)));
      }
    } catch (MalformedInputException e) {
      throw new IOException(file + " is no PEM file", e);
    }
    return new PemFile(file, List.copyOf(parts));
  }

  /**
   * The certificates.
   *
   * @return one or more
   * @throws IOException where there is none, or one is damaged
   */
  public List<X509Certificate> certificates() throws IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Part part : parts) {
        if (part.name().equals(CERTIFICATE)) {
          ByteArrayInputStream bytes = new ByteArrayInputStream(part.bytes());
          certificates.add((X509Certificate) factory.generateCertificate(bytes));
        }
      }
    } catch (CertificateException | IllegalArgumentException e) {
      throw new IOException(file + " has a certificate that is damaged: " + e.getMessage(), e);
    }
    if (certificates.isEmpty()) {
      throw new IOException(file + " has no " + CERTIFICATE + " in it");
    }
    return certificates;
  }

  /**
   * The private key of a certificate. It is tried, because TLS libraries do not notice a wrong one,
   * with which every handshake would fail.
   *
   * @throws IOException where there is none, or it is that of another certificate
   */
  public PrivateKey keyOf(X509Certificate certificate) throws IOException {
    Part part =
        parts.stream()
            .filter(one -> one.name().equals(KEY))
            .findFirst()
            .orElseThrow(() ->
                new IOException(file + " has no " + KEY + " in it (PKCS #8 without a password)"));
    try {
      String algorithm = certificate.getPublicKey().getAlgorithm();
      PrivateKey key =
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(part.bytes()));
      if (!isKeyOf(certificate, key, signatureBy(algorithm))) {
        throw new IOException("the key is not that of the certificate");
      }
      return key;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("the key is not that of the certificate: " + e.getMessage(), e);
    }
  }

  private static boolean isKeyOf(X509Certificate certificate, PrivateKey key, String algorithm)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(PROBE);
    byte[] signed = signature.sign();
    signature.initVerify(certificate.getPublicKey());
    signature.update(PROBE);
    return signature.verify(signed);
  }

  private static String signatureBy(String algorithm) {
    return switch (algorithm) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> algorithm;
    };
  }
}
