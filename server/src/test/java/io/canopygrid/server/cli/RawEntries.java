package io.canopygrid.server.cli;

import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.table.NamedBytes;
import io.canopygrid.wire.client.Reply;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The entries of an index as they are stored, without its codecs. */
final class RawEntries {
  private RawEntries() {}

  /** All entries, in hexadecimal; of long values the length and the hash. */
  static Map<String, String> of(TestServer server, String name) {
    Map<String, String> entries = new TreeMap<>();
    try (RemoteCanopy db = RemoteCanopy.connect("canopy://" + server.address())) {
      Reply.IndexOpened found = db.describe(name);
      Index<byte[], byte[]> index =
          db.existing(name, new NamedBytes(found.keyCodec()), new NamedBytes(found.valueCodec()));
      db.<Boolean, RuntimeException>read(tx -> {
        try (Cursor<byte[], byte[]> all = tx.on(index).scan(io.canopygrid.Range.all())) {
          for (Map.Entry<byte[], byte[]> entry : all) {
            byte[] value = entry.getValue();
            entries.put(
                HexFormat.of().formatHex(entry.getKey()),
                value.length < 100
                    ? HexFormat.of().formatHex(value)
                    : value.length + "#" + java.util.Arrays.hashCode(value));
          }
        }
        return true;
      });
    }
    return entries;
  }
}
