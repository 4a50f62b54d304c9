package io.canopygrid.server.backup.format;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Checksums of files. */
final class Sha256 {
  private Sha256() {}

  /** The checksum of a part of an array, in hexadecimal. */
  static String of(byte[] bytes, int from, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes, from, length);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }

  static String of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }
}
