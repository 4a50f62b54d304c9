package io.canopygrid.btree.serve;

import io.canopygrid.Durability;
import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.spi.DataPlace;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of a node's data by its own account.
 *
 * @param durability of what it has on disk; null: it has its data in memory only
 * @param totalBytes the size of the file system of its data directory; 0: there is none, or it
 *     cannot be told
 * @param freeBytes of these, that the node may still use
 */
public record DataFacts(
    NodeId node, @Nullable Durability durability, long totalBytes, long freeBytes) {
  private static final Logger LOG = LoggerFactory.getLogger(DataFacts.class);
  private static final int BYTES = 30;
  private static final int IN_MEMORY = 0;

  /** The durabilities by their number in an answer minus 1. */
  private static final List<Durability> DURABILITIES = List.of(Durability.ASYNC, Durability.FSYNC);

  /** The node's id as text. */
  public String id() {
    return node.toString();
  }

  /** The facts as they are now; may block where a node has a directory. */
  static DataFacts of(NodeId node, DataPlace place) {
    Path directory = place.directory();
    if (directory == null) {
      return new DataFacts(node, null, 0, 0);
    }
    try {
      FileStore store = Files.getFileStore(directory);
      long total = Math.max(0, store.getTotalSpace());
      return new DataFacts(node, place.durability(), total, Math.max(0, store.getUsableSpace()));
    } catch (IOException e) {
      LOG.debug("the room of {} cannot be told", directory, e);
      return new DataFacts(node, place.durability(), 0, 0);
    }
  }

  byte[] encode() {
    ByteWriter out = NodeBytes.begin(BYTES).writeLong(node.value());
    out.writeByte(durability == null ? IN_MEMORY : 1 + DURABILITIES.indexOf(durability));
    return out.writeVarLong(totalBytes).writeVarLong(freeBytes).toBytes();
  }

  static DataFacts decode(byte[] bytes) {
    return NodeBytes.decode(
        bytes,
        in -> {
          NodeId node = new NodeId(in.readLong());
          int place = in.readByte();
          if (place > DURABILITIES.size()) {
            throw new MalformedBytesException("no place of data: " + place);
          }
          Durability durability = place == IN_MEMORY ? null : DURABILITIES.get(place - 1);
          long totalBytes = in.readVarLong();
          return new DataFacts(node, durability, totalBytes, in.readVarLong());
        });
  }
}
