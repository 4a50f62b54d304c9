package io.canopygrid.it.feeds;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Change;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.FeedOptions;
import io.canopygrid.FeedPosition;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that keeps a copy of an index by a feed. After errors it goes on with the same feed, or
 * with another one after one of the last positions, of which it keeps the texts.
 */
final class Follower implements AutoCloseable {
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final int POSITIONS_MAX = 100;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final List<String> servers;
  private final Random random;
  private final Map<String, String> copy = new TreeMap<>();
  private final Set<Integer> followed = ConcurrentHashMap.newKeySet();

  /** Those after the last transactions, each once. */
  private final Deque<String> positions = new ArrayDeque<>();

  private final CompletableFuture<Void> thread;
  private int accounts;
  private long money;
  private int feeds;
  private int errors;
  private int repeated;
  private volatile boolean isOpen;
  private volatile int clients;
  private final AtomicInteger clientsWanted = new AtomicInteger(1);
  private volatile boolean isEnding;

  /** Begins to follow what is written from now on, see {@link #isOpen}. */
  Follower(List<String> servers, long seed) {
    this.servers = servers;
    random = new Random(seed);
    thread = CompletableFuture.runAsync(this::follow, task -> new Thread(task, "follower").start());
  }

  private void follow() {
    while (!isEnding) {
      List<String> addresses = new ArrayList<>(servers);
      Collections.shuffle(addresses, random);
      try (Canopy db = RemoteCanopy.connect("canopy://" + String.join(",", addresses))) {
        Index<String, String> index = NumberedWrite.index(db);
        clients = clientsWanted.get();
        while (isWanted()) {
          follow(db, index);
        }
      } catch (CanopyException e) {
        pauseAfter(e);
      }
    }
  }

  private boolean isWanted() {
    return !isEnding && clients == clientsWanted.get();
  }

  /** Drops the positions after the one that it goes on from, as what comes is of after that. */
  private FeedOptions<String> from() {
    if (positions.isEmpty()) {
      return FeedOptions.fromNow();
    }
    for (int later = random.nextInt(positions.size()); later > 0; later--) {
      positions.removeLast();
    }
    return FeedOptions.after(FeedPosition.parse(positions.getLast()));
  }

  private void keep(String position) {
    if (!position.equals(positions.peekLast())) {
      positions.addLast(position);
    }
    if (positions.size() > POSITIONS_MAX) {
      positions.removeFirst();
    }
  }

  private void follow(Canopy db, Index<String, String> index) {
    try (ChangeFeed<String, String> feed = db.changes(index, from())) {
      keep(feed.position().toString());
      isOpen = true;
      feeds++;
      Set<Integer> ofFeed = new HashSet<>();
      while (isWanted()) {
        try {
          ChangeSet<String, String> set = feed.next(WAIT);
          if (set != null) {
            apply(set, ofFeed);
            keep(feed.position().toString());
          }
        } catch (CanopyException e) {
          pauseAfter(e);
          if (random.nextBoolean()) {
            return;
          }
        }
      }
    }
  }

  /** Fails where the feed is not to be asked again, so also where changes were lost. */
  private void pauseAfter(CanopyException e) {
    if (!e.code().retryable()) {
      throw e;
    }
    errors++;
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  private synchronized void apply(ChangeSet<String, String> set, Set<Integer> ofFeed) {
    NumberedWrite write = NumberedWrite.of(set);
    assertThat(ofFeed.add(write.number())).as("once by a feed: %s", set).isTrue();
    if (followed.contains(write.number())) {
      repeated++;
      return;
    }
    for (Change<String, String> change : set.changes()) {
      String key = change.key();
      String after = change.after();
      String before = after == null ? copy.remove(key) : copy.put(key, after);
      assertThat(change.before()).as("before %s in %s", key, set).isEqualTo(before);
      if (NumberedWrite.isAccount(key)) {
        accounts += before == null ? 1 : 0;
        money += amount(after) - amount(before);
      }
    }
    assertThat(money).as("money after %s", set).isEqualTo(accounts * Writers.OPENING);
    followed.add(write.number());
  }

  private static long amount(@Nullable String balance) {
    return balance == null ? 0 : Long.parseLong(balance);
  }

  /** Whether it misses nothing from now on. */
  boolean isOpen() {
    check();
    return isOpen;
  }

  /** Closes its client, and goes on with another one from what it has kept. */
  void changeClient() {
    clientsWanted.incrementAndGet();
  }

  /** Whether it has the client that it was told to have. */
  boolean hasClient() {
    check();
    return clients == clientsWanted.get();
  }

  /** The numbers of the transactions that it has followed; it must not have failed. */
  Set<Integer> followed() {
    check();
    return Set.copyOf(followed);
  }

  /** The index as far as it has followed it. */
  synchronized Map<String, String> copy() {
    return Map.copyOf(copy);
  }

  private void check() {
    if (thread.isCompletedExceptionally()) {
      thread.join();
    }
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "%d followed, %d repeated, %d feeds, %d errors", followed.size(), repeated, feeds, errors);
  }

  @Override
  public void close() {
    isEnding = true;
    thread.exceptionally(e -> null).join();
  }
}
