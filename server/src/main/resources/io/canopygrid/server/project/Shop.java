package {package};

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.embedded.EmbeddedCanopy;

/** One of the three nodes of a shop: it places an order each second, until Ctrl-C. */
public final class Shop {
  private static final String[] MEMBERS = {"127.0.0.1:7801", "127.0.0.1:7802", "127.0.0.1:7803"};
  private static final String ITEM = "apples";
  private static final long PAUSE_MILLIS = 1_000;

  private Shop() {}

  /**
   * Starts a node.
   *
   * @param args its number, 1 to 3; and how many orders it places, if it is to end then
   */
  public static void main(String[] args) throws InterruptedException {
    if (args.length == 0 || !args[0].matches("[1-3]")) {
      System.err.println("Which node is this: 1, 2 or 3?");
      System.exit(2);
    }
    long count = args.length == 1 ? Long.MAX_VALUE : Long.parseLong(args[1]);
    ClusterConfig config =
        ClusterConfig.of("{name}").port(7800 + Integer.parseInt(args[0])).members(MEMBERS);
    EmbeddedCanopy canopy = EmbeddedCanopy.join(config);
    // In order, also by Ctrl-C: the others get the data of this node before it ends.
    Thread end = new Thread(canopy::close);
    Runtime.getRuntime().addShutdownHook(end);

    Orders orders = new Orders(canopy);
    if (orders.left(ITEM) == 0) {
      orders.deliver(ITEM, 1_000);
    }
    String customer = "customer " + args[0];
    for (long placed = 0; placed < count; placed++) {
      try {
        long number = orders.place(customer, ITEM);
        System.out.printf(
            "order %d of %s; %s left: %d; nodes: %d%n",
            number, customer, ITEM, orders.left(ITEM), canopy.members());
      } catch (CanopyException e) {
        System.out.println(e.getMessage()); // nodes that come back make it go on
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    Runtime.getRuntime().removeShutdownHook(end);
    canopy.close();
  }
}
