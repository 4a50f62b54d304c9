package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.junit.CanopyGrid;
import io.canopygrid.junit.CanopyTest;
import org.junit.jupiter.api.Test;

@CanopyTest(nodes = 3)
final class LostNodeTest {
  @Test
  void theOthersHaveWhatANodeHadThatIsKilled(CanopyGrid grid) {
    Index<String, Long> stock = stock(grid.node(0));
    grid.node(0).run(tx -> tx.on(stock).put("apples", 7L));

    grid.kill(0);

    Canopy other = grid.node(1);
    Index<String, Long> there = stock(other);
    Long apples = other.read(tx -> tx.on(there).get("apples"));
    assertEquals(7, apples);
  }

  private static Index<String, Long> stock(Canopy canopy) {
    return canopy.index("stock", Codec.string(), Codec.int64());
  }
}
