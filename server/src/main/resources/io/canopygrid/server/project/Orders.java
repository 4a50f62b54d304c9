package {package};

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.Tuple;
import java.util.List;

/** The stock of a shop and the orders of its customers. Thread-safe, and the same at all nodes. */
public final class Orders {
  private final Canopy canopy;
  private final Index<String, Long> stock;

  /** Orders by customer and number, so that those of one customer are beside each other. */
  private final Index<Tuple, String> orders;

  public Orders(Canopy canopy) {
    this.canopy = canopy;
    stock = canopy.index("stock", Codec.string(), Codec.int64());
    orders =
        canopy.index("orders", Codec.tuple(Codec.string(), Codec.int64()), Codec.string());
  }

  /** Adds pieces of an item to the stock. */
  public void deliver(String item, long pieces) {
    canopy.run(tx ->
        tx.on(stock).compute(item, (any, there) -> there == null ? pieces : there + pieces));
  }

  /**
   * Takes one piece from the stock and notes the order: both, or neither.
   *
   * @return the number of the order; 0: there is nothing left
   */
  public long place(String customer, String item) {
    // The body runs again where another transaction was faster, so it changes nothing else.
    return canopy.call(tx -> {
      Long left = tx.on(stock).get(item);
      if (left == null || left == 0) {
        return 0L;
      }
      long number = tx.on(orders).count(Range.prefix(Tuple.of(customer))) + 1;
      tx.on(stock).put(item, left - 1);
      tx.on(orders).put(Tuple.of(customer, number), item);
      return number;
    });
  }

  /** The pieces of an item that are left. */
  public long left(String item) {
    Long there = canopy.read(tx -> tx.on(stock).get(item));
    return there == null ? 0 : there;
  }

  /** The items that a customer has ordered, the oldest first. */
  public List<String> of(String customer) {
    return canopy.read(tx ->
        tx.on(orders).scan(Range.prefix(Tuple.of(customer))).values().toList());
  }
}
