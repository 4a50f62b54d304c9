import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;

public class Visits {
  public static void main(String[] servers) {
    try (Canopy db = RemoteCanopy.connect(servers[0])) {
      Index<String, Long> visits = db.index("visits", Codec.string(), Codec.int64());
      db.run(tx -> tx.on(visits).compute("index.html", (page, count) -> count == null ? 1 : count + 1));
      System.out.println("visits " + db.read(tx -> tx.on(visits).get("index.html")));
    }
  }
}
