package io.canopygrid.table;

/** Finds the rows of the entries of a table's secondary index, by bytes. Immutable. */
public final class EntryOwners {
  private final EntryParts parts;

  EntryOwners(EntryParts parts) {
    this.parts = parts;
  }

  /**
   * The key of the row that an entry is of.
   *
   * @throws io.canopygrid.wire.MalformedBytesException where it is not an entry
   */
  public byte[] rowOf(byte[] key, byte[] value) {
    return parts.of(key, value).key();
  }
}
