package io.canopygrid.server.diag;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Named texts that become a zip file which only its owner can read. Secrets that the command knows
 * are struck out of all texts. Confined to one thread.
 */
final class Bundle {
  private static final String HIDDEN = "(hidden)";
  private static final int SECRET_CHARS_MIN = 4;

  private static final String NOTICE =
      """
      This bundle is for the support of Canopy. It has no entries of indexes, neither keys nor
      values, and no passwords, keys or certificates. It does have names of indexes, nodes,
      machines and users, labels of transactions, addresses, paths of files, settings, and
      lines of logs.
      """;

  private final List<String> secrets;
  private final Map<String, String> texts = new TreeMap<>();
  private final List<String> missing = new ArrayList<>();

  /**
   * An empty bundle.
   *
   * @param secrets what must not be in it; a shorter one than {@value #SECRET_CHARS_MIN} characters
   *     stands in any text by chance, and is not struck out
   */
  Bundle(List<String> secrets) {
    this.secrets = secrets.stream().filter(secret -> secret.length() >= SECRET_CHARS_MIN).toList();
  }

  /** Adds a text; one without a character is said to be missing. */
  void add(String name, String text) {
    if (text.isEmpty()) {
      lacks(name, "there is nothing");
    } else {
      texts.put(name, struck(text));
    }
  }

  /** Says why a text is not there. */
  void lacks(String name, String why) {
    missing.add(name + ": " + struck(why).strip());
  }

  private String struck(String text) {
    String struck = text;
    for (String secret : secrets) {
      struck = struck.replace(secret, HIDDEN);
    }
    return struck;
  }

  /** The names of what is there. */
  List<String> names() {
    return List.copyOf(texts.keySet());
  }

  /** The names of what could not be had, each with the reason. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  /**
   * Writes a new file.
   *
   * @throws IOException also where there is a file of this name
   */
  void write(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(file);
    }
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
      put(zip, "README.txt", readme());
      for (Map.Entry<String, String> text : texts.entrySet()) {
        put(zip, text.getKey(), text.getValue());
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  private String readme() {
    StringBuilder text = new StringBuilder(NOTICE).append("\nIt has:\n");
    texts.keySet().forEach(name -> text.append("  ").append(name).append('\n'));
    if (!missing.isEmpty()) {
      text.append("\nIt could not get:\n");
      missing.forEach(line -> text.append("  ").append(line).append('\n'));
    }
    return text.toString();
  }
}
