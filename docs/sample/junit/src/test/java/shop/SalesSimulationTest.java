package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.junit.simulation.CanopySimulation;
import io.canopygrid.junit.simulation.GridFault;
import io.canopygrid.junit.simulation.ScenarioClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SalesSimulationTest {
  @Test
  void eachSaleTakesOneApple() {
    CanopySimulation.of(3)
        .faults(GridFault.KILL, GridFault.PAUSE, GridFault.DELAY)
        .seeds(1, 100)
        .run(scenario ->
            scenario
                .setUp(client -> {
                  Index<String, Long> stock = stock(client.canopy());
                  client.canopy().run(tx -> tx.on(stock).put("apples", 100L));
                })
                .clients("till", 3, SalesSimulationTest::sell)
                .check(client -> {
                  Index<String, Long> stock = stock(client.canopy());
                  Index<String, Long> sales = sales(client.canopy());
                  long left = client.canopy().read(tx -> tx.on(stock).get("apples"));
                  long sold = client.canopy().read(tx -> tx.on(sales).count());
                  assertEquals(15, sold);
                  assertEquals(100 - sold, left);
                }));
  }

  /** The program of a till. A till whose node has died begins again, and sells nothing twice. */
  private static void sell(ScenarioClient client) {
    Canopy canopy = client.canopy();
    Index<String, Long> stock = stock(canopy);
    Index<String, Long> sales = sales(canopy);
    for (int i = 0; i < 5; i++) {
      String sale = client.name() + ", customer " + i;
      canopy.run(tx -> {
        if (tx.on(sales).get(sale) == null) {
          tx.on(sales).put(sale, 1L);
          tx.on(stock).compute("apples", (name, left) -> left - 1);
        }
      });
      client.sleep(Duration.ofMillis(client.random().nextInt(1, 10)));
    }
  }

  private static Index<String, Long> stock(Canopy canopy) {
    return canopy.index("stock", Codec.string(), Codec.int64());
  }

  private static Index<String, Long> sales(Canopy canopy) {
    return canopy.index("sales", Codec.string(), Codec.int64());
  }
}
