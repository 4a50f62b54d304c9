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
 * What operations on an index would cost, by the map of its parts: who is asked, how often, and
 * why. Requests are those that somebody waits for; copies to backups are not counted. Immutable.
 */
final class AccessPlan {
  private final Reply.Routes routes;

  /** The server from whose node it is looked at; empty: a client, which has nothing itself. */
  private final String self;

  AccessPlan(Reply.Routes routes, String self) {
    this.routes = routes;
    this.self = self;
  }

  /**
   * One way to do it.
   *
   * @param shipped what travels
   * @param at the server that is asked, or that does it
   * @param requests of the caller
   * @param further requests of that server to others
   * @param exact whether it is just as many; else at least as many, as pages go on for as long as
   *     there are entries
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

  /** A function that reads and writes these keys, at the first one: as it is done, and as not. */
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
   * A read for each key elsewhere; a prepare and a decision for each shard there, or one request if
   * it is the only one that takes part, as it decides then.
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

  /** The parts that a range touches, at least the one of its beginning. */
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
