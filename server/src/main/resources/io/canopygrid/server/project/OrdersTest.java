package {package};

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.canopygrid.junit.CanopyGrid;
import io.canopygrid.junit.CanopyTest;
import java.util.List;
import org.junit.jupiter.api.Test;

@CanopyTest(nodes = 3)
final class OrdersTest {
  @Test
  void anOrderTakesFromTheStockAtAllNodes(CanopyGrid grid) {
    new Orders(grid.node(0)).deliver("apples", 2);

    assertEquals(1, new Orders(grid.node(1)).place("ada", "apples"));
    assertEquals(2, new Orders(grid.node(2)).place("ada", "apples"));
    assertEquals(0, new Orders(grid.node(0)).place("ada", "apples"));

    assertEquals(0, new Orders(grid.node(0)).left("apples"));
    assertEquals(List.of("apples", "apples"), new Orders(grid.node(0)).of("ada"));
  }

  @Test
  void theOthersHaveTheOrdersOfANodeThatIsKilled(CanopyGrid grid) {
    Orders orders = new Orders(grid.node(0));
    orders.deliver("pears", 5);
    orders.place("bob", "pears");

    grid.kill(0);

    assertEquals(List.of("pears"), new Orders(grid.node(1)).of("bob"));
    assertEquals(4, new Orders(grid.node(2)).left("pears"));
  }
}
