package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;
import io.netty.channel.EventLoopGroup;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;

/** A program that is run with another class path. */
public final class Netty41Client {
  private Netty41Client() {}

  /** Netty's jar, and a value that was written and read. */
  public static String run(String server) throws Exception {
    try (Canopy db = RemoteCanopy.connect("canopy://" + server)) {
      Index<Long, String> names = db.index("names", Codec.int64(), Codec.string());
      db.run(tx -> tx.on(names).put(1L, "Ada"));
      String name = db.read(tx -> Objects.requireNonNull(tx.on(names).get(1L)));
      URI jar = EventLoopGroup.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(jar).getFileName() + " " + name;
    }
  }
}
