package io.canopygrid.pem;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;

/** The JDK's keytool on a key store of its own, which goes when this is closed. */
final class Keytool implements AutoCloseable {
  private static final String PASSWORD = "canopy-dev"; // of a file that is deleted at once

  private final Path directory;
  private final Path store;

  /** Works in a new directory, which only this user can read. */
  Keytool() throws IOException {
    directory = Files.createTempDirectory("canopy-keys");
    store = directory.resolve("keys.p12");
  }

  /** Makes a key pair and its certificate, which is signed by itself. */
  void generate(String alias, String name, int days, List<String> more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", alias));
    arguments.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name));
    arguments.addAll(List.of("-validity", Integer.toString(days)));
    arguments.addAll(more);
    run(arguments);
  }

  /**
   * Lets one key sign the certificate of another.
   *
   * @return the file with the certificate
   */
  Path sign(String alias, String authority, List<String> more) throws IOException {
    Path request = directory.resolve(alias + ".csr");
    Path signed = directory.resolve(alias + ".pem");
    run(List.of("-certreq", "-alias", alias, "-file", request.toString()));
    List<String> arguments = new ArrayList<>(List.of("-gencert", "-alias", authority, "-rfc"));
    arguments.addAll(List.of("-infile", request.toString(), "-outfile", signed.toString()));
    arguments.addAll(more);
    run(arguments);
    return signed;
  }

  /** The keys and certificates that were made. */
  byte[] keyOf(String alias) throws IOException, GeneralSecurityException {
    return load().getKey(alias, PASSWORD.toCharArray()).getEncoded();
  }

  byte[] certificateOf(String alias) throws IOException, GeneralSecurityException {
    return load().getCertificate(alias).getEncoded();
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private void run(List<String> arguments) throws IOException {
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

  @Override
  public void close() throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
