package io.canopygrid.pem;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Makes certificates as PEM files, each signed by a new authority whose key is not kept: nobody can
 * sign another one later.
 */
public final class CertificateMaker {
  private static final String AUTHORITY = "authority";
  private static final String SIGNED = "signed";
  private static final int DEV_DAYS = 365;
  private static final int LINE = 64;

  private CertificateMaker() {}

  /**
   * Writes {@code cert.pem} and {@code key.pem}, which a server has, and {@code ca.pem}, which its
   * clients trust, into a directory: for trying TLS.
   *
   * @param hosts names and addresses of the server; at least one
   * @param keytoolOptions options of the signature, such as {@code -validity 30}
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where that fails
   */
  public static void writeForServer(
      Path directory, List<String> hosts, List<String> keytoolOptions) {
    try (Keytool keys = new Keytool()) {
      Files.createDirectories(directory);
      List<String> names = hosts.stream().map(CertificateMaker::alternative).toList();
      List<String> options = new ArrayList<>(List.of("-ext", "san=" + String.join(",", names)));
      options.addAll(keytoolOptions);
      makeAuthority(keys, "canopy development", DEV_DAYS);
      keys.generate(SIGNED, hosts.get(0), DEV_DAYS, List.of());
      Path signed = keys.sign(SIGNED, AUTHORITY, options);
      Files.copy(signed, directory.resolve("cert.pem"), StandardCopyOption.REPLACE_EXISTING);
      writeSecret(directory.resolve("key.pem"), pem("PRIVATE KEY", keys.keyOf(SIGNED)));
      Files.writeString(
          directory.resolve("ca.pem"), pem("CERTIFICATE", keys.certificateOf(AUTHORITY)));
    } catch (IOException | GeneralSecurityException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "no certificate in " + directory + ": " + e.getMessage(), e);
    }
  }

  /**
   * Writes one file with a key, its certificate and the authority's certificate: the identity that
   * all nodes of a cluster share. A file that is there stays.
   *
   * @param days for which it is valid, 1 or more
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where that fails, or there is such a
   *     file
   */
  public static void writeForCluster(Path file, int days) {
    try (Keytool keys = new Keytool()) {
      if (Files.exists(file)) {
        throw new IOException("the file is there already, and nodes may use it");
      }
      if (file.toAbsolutePath().getParent() != null) {
        Files.createDirectories(file.toAbsolutePath().getParent());
      }
      makeAuthority(keys, "canopy cluster authority", days);
      keys.generate(SIGNED, "canopy node", days, List.of());
      Path signed = keys.sign(SIGNED, AUTHORITY, List.of("-validity", Integer.toString(days)));
      writeSecret(
          file,
          pem("PRIVATE KEY", keys.keyOf(SIGNED))
              + Files.readString(signed)
              + pem("CERTIFICATE", keys.certificateOf(AUTHORITY)));
    } catch (IOException | GeneralSecurityException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "no identity in " + file + ": " + e.getMessage(), e);
    }
  }

  private static void makeAuthority(Keytool keys, String name, int days) throws IOException {
    keys.generate(AUTHORITY, name, days, List.of("-ext", "bc:c=ca:true"));
  }

  private static String alternative(String host) {
    boolean address = host.matches("[0-9.]+") || host.indexOf(':') >= 0;
    return (address ? "ip:" : "dns:") + host;
  }

  /** Nobody else can read the file at any moment. */
  private static void writeSecret(Path secret, String text) throws IOException {
    Files.deleteIfExists(secret);
    Files.createFile(secret);
    if (!secret.toFile().setReadable(false, false) || !secret.toFile().setReadable(true)) {
      throw new IOException("others cannot be kept from reading " + secret);
    }
    Files.writeString(secret, text);
  }

  private static String pem(String what, byte[] bytes) {
    String body =
        Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
  }
}
