package io.canopygrid.server.shell;

import io.canopygrid.codec.KeyRange;
import io.canopygrid.function.Shipping;
import io.canopygrid.wire.client.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cost of operations on an index, computed from the map of its parts: which server is asked,
 * how often, and why. Only requests that the caller waits for count; copies to backups do not.
 * Immutable.
 */
final class AccessPlan {
  private final Reply.Routes routes;

  /**
   * The server whose node carries out the operation; empty: a client does, which has no part of the
   * index.
   */
  private final String self;

  AccessPlan(Reply.Routes routes, String self) {
    this.routes = routes;
    this.self = self;
  }

  /**
   * A way to carry out an operation.
   *
   * @param shipped what is sent to the server
   * @param at the server that is asked, or that carries it out
   * @param requests how many requests the caller makes
   * @param further how many requests that server makes to others
   * @param exact whether the numbers are exact; else they are the least, since a scan asks again
   *     for each page
   */
  record Way(String shipped, String at, long requests, long further, boolean exact, String why) {}

  Way get(byte[] key) {
    Reply.Route part = partOf(key);
    return new Way(
        "operation",
        address(part),
        requests(part),
        0,
        true,
        isHere(part)
            ? "the key is here: it is read without a request"
            : "the crown is on every node and clients have a map of it, so the owner is asked at"
                + " once");
  }

  Way put(byte[] key) {
    Reply.Route part = partOf(key);
    return new Way(
        "write",
        address(part),
        requests(part),
        0,
        true,
        isHere(part)
            ? "a put reads nothing, and commits here in one phase"
            : "a put reads nothing: it goes with the commit, in one phase at the owner");
  }

  Way scan(KeyRange range, boolean reverse) {
    List<Reply.Route> parts = parts(range);
    Reply.Route first = parts.get(reverse ? parts.size() - 1 : 0);
    long elsewhere = elsewhere(first, parts);
    return new Way(
        "pages",
        self.isEmpty() ? address(first) : self,
        self.isEmpty() ? 1 : elsewhere,
        self.isEmpty() ? elsewhere : 0,
        false,
        (self.isEmpty() ? "a client asks for up to 500 entries at a time; " : "")
            + elsewhere(elsewhere, parts)
            + ": one request for each, or for each page of a larger one;"
            + " the next is under way while one is read");
  }

  Way count(KeyRange range) {
    List<Reply.Route> parts = parts(range);
    Reply.Route first = parts.get(0);
    long elsewhere = elsewhere(first, parts);
    return new Way(
        "operation",
        self.isEmpty() ? address(first) : self,
        self.isEmpty() ? 1 : elsewhere,
        self.isEmpty() ? elsewhere : 0,
        true,
        elsewhere(elsewhere, parts)
            + ", asked once for a number"
            + (parts.size() == 1 ? "" : " each"));
  }

  /**
   * The ways of a function that reads and writes these keys, placed at the first of them: the way
   * that is taken, and the way without shipping.
   */
  List<Way> function(List<byte[]> keys) {
    Reply.Route place = partOf(keys.get(0));
    Shipping shipping = Shipping.of(true, address(place), self.isEmpty() ? null : self);
    List<Way> ways = new ArrayList<>();
    ways.add(
        new Way(
            "transaction",
            address(place),
            shipping == Shipping.LOCAL ? 0 : 1,
            readsAndCommits(keys, address(place)),
            true,
            shipping.why()));
    int operations = self.isEmpty() ? keys.size() + 1 : readsAndCommits(keys, self);
    ways.add(
        new Way(
            "operations",
            self.isEmpty() ? address(place) : self,
            operations,
            self.isEmpty() ? readsAndCommits(keys, address(place)) : 0,
            true,
            "not done: what a body of run() that does the same would cost"));
    return ways;
  }

  /**
   * The number of requests that a transaction makes: a read for each key elsewhere, and a prepare
   * and a decision for each shard elsewhere. A shard that takes part alone decides itself, with one
   * request.
   */
  private int readsAndCommits(List<byte[]> keys, String at) {
    Set<Integer> all = new HashSet<>();
    Set<Integer> shards = new HashSet<>();
    int reads = 0;
    for (byte[] key : keys) {
      Reply.Route part = partOf(key);
      all.add(part.shard());
      if (!address(part).equals(at)) {
        reads++;
        shards.add(part.shard());
      }
    }
    return reads + (all.size() == 1 ? shards.size() : 2 * shards.size());
  }

  private long elsewhere(Reply.Route first, List<Reply.Route> parts) {
    String at = self.isEmpty() ? address(first) : self;
    return parts.stream().filter(part -> !address(part).equals(at)).count();
  }

  private static String elsewhere(long elsewhere, List<Reply.Route> parts) {
    return parts.size() == 1
        ? "its only subtree is " + (elsewhere == 0 ? "there" : "elsewhere")
        : elsewhere
            + " of its "
            + parts.size()
            + " subtrees "
            + (elsewhere == 1 ? "is" : "are")
            + " elsewhere";
  }

  private int requests(Reply.Route part) {
    return isHere(part) ? 0 : 1;
  }

  private boolean isHere(Reply.Route part) {
    return address(part).equals(self);
  }

  private String address(Reply.Route part) {
    return routes.addresses().get(part.address());
  }

  private Reply.Route partOf(byte[] key) {
    Reply.Route found = routes.routes().get(0);
    for (Reply.Route part : routes.routes()) {
      if (Arrays.compareUnsigned(part.from(), key) <= 0) {
        found = part;
      }
    }
    return found;
  }

  /** The parts that a range touches; at least the part of its beginning. */
  private List<Reply.Route> parts(KeyRange range) {
    List<Reply.Route> found = new ArrayList<>();
    found.add(partOf(range.from()));
    byte @Nullable [] to = range.to();
    for (Reply.Route part : routes.routes()) {
      if (Arrays.compareUnsigned(part.from(), range.from()) > 0
          && (to == null || Arrays.compareUnsigned(part.from(), to) < 0)) {
        found.add(part);
      }
    }
    return found;
  }
}
