package io.canopygrid.wire.client;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * An entry that is read much.
 *
 * @param index the number of its index
 * @param key its bytes; not to be changed
 * @param node its primary
 * @param readsPerSecond at other nodes
 * @param copyReadsPerSecond those of these that copies have answered
 * @param copies the nodes with a hot copy
 */
public record HotEntry(
    int index,
    byte[] key,
    String node,
    double readsPerSecond,
    double copyReadsPerSecond,
    List<String> copies) {
  /** Copies the list. */
  public HotEntry {
    copies = List.copyOf(copies);
  }

  /** For people; the key in hexadecimal. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "HotEntry[index=%d, key=%s, node=%s, readsPerSecond=%s, copyReadsPerSecond=%s, copies=%s]",
        index,
        HexFormat.of().formatHex(key),
        node,
        readsPerSecond,
        copyReadsPerSecond,
        copies);
  }
}
