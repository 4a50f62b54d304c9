package io.canopygrid.server.backup.store;

import java.io.IOException;
import java.util.List;

/**
 * A place where backups are kept: blobs, each under a name of parts between slashes. The first part
 * is a <em>folder</em>, which is one backup. Parts are of letters, digits, {@code . _ -}, and do
 * not begin with a dot.
 *
 * <p>A blob is there whole or not at all, after a crash of any machine too: {@link #put} returns
 * when it is stored. An {@link IOException} leaves open whether it is. Thread-safe.
 */
public interface BlobStore extends AutoCloseable {
  /** Stores a blob, in place of one that has the name. */
  void put(String name, byte[] content) throws IOException;

  /**
   * Stores a blob where there is none of the name.
   *
   * @return false: there is one, which was not changed. Of several callers one gets true
   */
  boolean putIfAbsent(String name, byte[] content) throws IOException;

  /**
   * The content of a blob.
   *
   * @throws java.nio.file.NoSuchFileException where there is none of the name
   */
  byte[] get(String name) throws IOException;

  /** The names of all blobs of a folder, sorted. */
  List<String> list(String folder) throws IOException;

  /** The folders that have blobs, sorted. */
  List<String> folders() throws IOException;

  /** Removes a blob, where there is one. */
  void delete(String name) throws IOException;

  /** The place, for people. */
  String describe();

  @Override
  void close();
}
