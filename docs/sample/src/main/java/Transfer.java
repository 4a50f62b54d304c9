import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.btree.embedded.EmbeddedCanopy;

public class Transfer {
  public static void main(String[] args) {
    try (Canopy db = EmbeddedCanopy.start()) {
      Index<Long, Long> accounts = db.index("accounts", Codec.int64(), Codec.int64());
      db.run(tx -> tx.on(accounts).put(1L, 100L));
      db.run(tx -> tx.on(accounts).put(2L, 100L));
      db.run(tx -> {
        tx.on(accounts).compute(1L, (id, cents) -> cents - 30);
        tx.on(accounts).compute(2L, (id, cents) -> cents + 30);
      });
      long total = db.read(tx -> tx.on(accounts).scan(Range.all()).values().mapToLong(Long::longValue).sum());
      System.out.println("total " + total);
    }
  }
}
