package io.canopygrid.server.security;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Makes a certificate, and an authority of its own that signs it, for trying TLS. The JDK's keytool
 * makes both; they are written as PEM. The authority's key is not kept.
 */
public final class DevCertificate {
  private static final String AUTHORITY = "authority";
  private static final String SERVER = "server";
  private static final String PASSWORD = "canopy-dev"; // of a file that is deleted at once
  private static final int LINE = 64;

  private DevCertificate() {}

  /**
   * Writes {@code cert.pem} and {@code key.pem}, which a server has, and {@code ca.pem}, which its
   * clients trust, into a directory.
   *
   * @param hosts names and addresses of the server; at least one
   * @param keytoolOptions options of the signature, such as {@code -validity 30}
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where that fails
   */
  public static void write(Path directory, List<String> hosts, List<String> keytoolOptions) {
    try {
      Files.createDirectories(directory);
      Path store = directory.resolve("canopy-dev.p12");
      Files.deleteIfExists(store);
      try {
        make(store, directory, hosts, keytoolOptions);
        export(store, directory);
      } finally {
        Files.deleteIfExists(store);
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "no certificate in " + directory + ": " + e.getMessage(), e);
    }
  }

  /** Makes the authority, and the certificate that it signs. */
  private static void make(Path store, Path directory, List<String> hosts, List<String> options)
      throws IOException {
    List<String> names = hosts.stream().map(DevCertificate::alternative).toList();
    Path request = directory.resolve("canopy-dev.csr");
    try {
      generate(store, AUTHORITY, "canopy development", List.of("-ext", "bc:c=ca:true"));
      generate(store, SERVER, hosts.get(0), List.of());
      keytool(store, List.of("-certreq", "-alias", SERVER, "-file", request.toString()));
      List<String> sign = new ArrayList<>(List.of("-gencert", "-alias", AUTHORITY, "-rfc"));
      sign.addAll(List.of("-infile", request.toString(), "-outfile"));
      sign.addAll(List.of(directory.resolve("cert.pem").toString(), "-ext"));
      sign.add("san=" + String.join(",", names));
      sign.addAll(options);
      keytool(store, sign);
    } finally {
      Files.deleteIfExists(request);
    }
  }

  private static void generate(Path store, String alias, String name, List<String> more)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", alias));
    arguments.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name));
    arguments.addAll(List.of("-validity", "365"));
    arguments.addAll(more);
    keytool(store, arguments);
  }

  private static void keytool(Path store, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString()));
    command.addAll(List.of("-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool: " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String alternative(String host) {
    boolean address = host.matches("[0-9.]+") || host.indexOf(':') >= 0;
    return (address ? "ip:" : "dns:") + host;
  }

  private static void export(Path store, Path directory)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Key key = keys.getKey(SERVER, PASSWORD.toCharArray());
    Path secret = directory.resolve("key.pem");
    Files.deleteIfExists(secret);
    Files.createFile(secret);
    if (!secret.toFile().setReadable(false, false) || !secret.toFile().setReadable(true)) {
      throw new IOException("others cannot be kept from reading " + secret);
    }
    writePem(secret, "PRIVATE KEY", key.getEncoded());
    writePem(
        directory.resolve("ca.pem"), "CERTIFICATE", keys.getCertificate(AUTHORITY).getEncoded());
  }

  private static void writePem(Path file, String what, byte[] bytes) throws IOException {
    String body =
        Base64.getMimeEncoder(LINE, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }
}
