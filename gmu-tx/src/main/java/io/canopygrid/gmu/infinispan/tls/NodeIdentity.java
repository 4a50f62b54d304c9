package io.canopygrid.gmu.infinispan.tls;

import io.canopygrid.pem.PemFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate by which a node shows that it is one of its cluster, and the authorities whose
 * certificates it takes for that. Both sides of a connection show one. Thread-safe.
 */
public final class NodeIdentity {
  /** Older versions are refused: all nodes are of this software. */
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private static final int PROBE_MILLIS = 500;
  private static final char[] NO_PASSWORD = {};

  private final SSLContext context;
  private final Instant expires;
  private final ExpiryWarning warning;
  private final Strangers strangers = new Strangers();

  private NodeIdentity(SSLContext context, Instant expires, Path file) {
    this.context = context;
    this.expires = expires;
    this.warning = new ExpiryWarning(file, expires);
  }

  /**
   * Reads it, and checks that this node would let itself in.
   *
   * @param identity a PEM file with a private key, its certificate, and those that have signed it
   * @param trust a PEM file with the certificates of the authorities; empty: those in {@code
   *     identity}
   * @throws IOException where a file cannot be read, has not what it must have, or nodes with it
   *     would refuse each other
   */
  public static NodeIdentity read(Path identity, Optional<Path> trust) throws IOException {
    PemFile own = PemFile.read(identity);
    List<X509Certificate> certificates = own.certificates();
    X509Certificate leaf = certificates.get(0);
    PrivateKey key = own.keyOf(leaf);
    List<X509Certificate> authorities =
        trust.isPresent() ? PemFile.read(trust.get()).certificates() : authorities(certificates);
    if (authorities.isEmpty()) {
      throw new IOException(
          identity
              + " has no certificate of an authority in it, and no other file is named for it");
    }
    X509Certificate[] chain = chain(certificates);
    try {
      X509TrustManager trusted = trusted(authorities);
      check(identity, trusted, chain);
      KeyStore keys = emptyStore();
      keys.setKeyEntry("node", key, NO_PASSWORD, chain);
      KeyManagerFactory own509 = KeyManagerFactory.getInstance("PKIX");
      own509.init(keys, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(own509.getKeyManagers(), new TrustManager[] {trusted}, null);
      return new NodeIdentity(context, leaf.getNotAfter().toInstant(), identity);
    } catch (GeneralSecurityException e) {
      throw new IOException(identity + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static List<X509Certificate> authorities(List<X509Certificate> certificates) {
    return certificates.stream().filter(one -> one.getBasicConstraints() >= 0).toList();
  }

  /** The first certificate and those that have signed it, as far as they are there. */
  private static X509Certificate[] chain(List<X509Certificate> certificates) {
    List<X509Certificate> chain = new ArrayList<>(List.of(certificates.get(0)));
    for (X509Certificate next : certificates.subList(1, certificates.size())) {
      X509Certificate last = chain.get(chain.size() - 1);
      if (next.getSubjectX500Principal().equals(last.getIssuerX500Principal())) {
        chain.add(next);
      }
    }
    return chain.toArray(X509Certificate[]::new);
  }

  private static X509TrustManager trusted(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry("authority" + i, authorities.get(i));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return (X509TrustManager) factory.getTrustManagers()[0];
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static void check(Path identity, X509TrustManager trusted, X509Certificate[] chain)
      throws IOException {
    try {
      String algorithm = chain[0].getPublicKey().getAlgorithm();
      trusted.checkClientTrusted(chain, algorithm);
      trusted.checkServerTrusted(chain, "UNKNOWN");
    } catch (CertificateException e) {
      throw new IOException(
          "nodes would not let in one with " + identity + ": " + rootMessage(e), e);
    }
  }

  private static @Nullable String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }

  /** When the certificate becomes invalid; from then on no connection is made. */
  Instant expires() {
    return expires;
  }

  /**
   * The side of a connection that was called.
   *
   * @param plain the connection, of which nothing has been read
   * @throws IOException where the other side is no node of this cluster, or says nothing for as
   *     long as {@code plain} waits
   */
  public SSLSocket accept(Socket plain) throws IOException {
    warning.look();
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), true);
    socket.setUseClientMode(false);
    socket.setNeedClientAuth(true);
    return shaken(socket);
  }

  /**
   * The side of a connection that has called.
   *
   * @throws IOException where the other side is no node of this cluster, or says nothing for as
   *     long as {@code plain} waits. Whether it lets this node in shows when something is read
   */
  public SSLSocket call(Socket plain) throws IOException {
    String host = plain.getInetAddress().getHostAddress();
    return shaken(
        (SSLSocket) context.getSocketFactory().createSocket(plain, host, plain.getPort(), true));
  }

  private static SSLSocket shaken(SSLSocket socket) throws IOException {
    socket.setEnabledProtocols(PROTOCOLS);
    socket.startHandshake();
    return socket;
  }

  /** Logs that somebody there has not shown to be a node, unless that was told a while ago. */
  public void refused(InetAddress from, IOException why) {
    strangers.refused(from, why);
  }

  /**
   * Why this node and the one that listens there do not let each other in, in words; null: they do,
   * or nobody has answered. Takes a second at most.
   */
  public @Nullable String objection(InetSocketAddress host) {
    try (Socket plain = new Socket()) {
      plain.connect(host, PROBE_MILLIS);
      plain.setSoTimeout(PROBE_MILLIS);
      try (SSLSocket socket = call(plain)) {
        socket.getInputStream().read();
      }
      return null;
    } catch (SocketTimeoutException waits) {
      return null;
    } catch (SSLException e) {
      return String.format(
          Locale.ROOT,
          "it and this node do not let each other in by TLS, %s: all nodes must have an identity of"
              + " the same cluster",
          rootMessage(e));
    } catch (IOException gone) {
      return null;
    }
  }
}
