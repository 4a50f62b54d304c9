package io.canopygrid.btree.check;

import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.crown.PreparedEntry;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.InvariantViolation;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Checks one index in one snapshot, while others go on writing (docs/internals/index.md, invariants
 * 1 to 5): its subtrees partition the key space without gap or overlap, their links and the crown
 * say the same, every entry is within its subtree's fences, in order, and every lock has an owner.
 */
public final class IndexCheck {
  private static final int PAGE_ENTRIES = 1_000;

  private final GmuTransaction transaction;
  private final int index;

  private IndexCheck(GmuTransaction transaction, int index) {
    this.transaction = transaction;
    this.index = index;
  }

  /**
   * The sizes that a check has found.
   *
   * @param subtrees how many
   * @param entries how many, all subtrees together
   * @param largest entries of the largest subtree
   * @param closing subtrees whose upper part is being moved
   */
  public record Report(int subtrees, long entries, long largest, int closing) {}

  /**
   * Checks an index.
   *
   * @param index its number
   * @param after what the snapshot must have seen
   * @throws InvariantViolation that says what is wrong
   * @throws TimeoutException where not all could be read until the deadline
   */
  public static Report run(GmuNode node, int index, VectorClock after, long deadlineNanos)
      throws TimeoutException {
    GmuTransaction transaction = node.begin(after, deadlineNanos);
    try {
      return new IndexCheck(transaction, index).run();
    } finally {
      transaction.end();
    }
  }

  private Report run() throws TimeoutException {
    List<CrownEntry> crown = crown();
    Invariant.holds(!crown.isEmpty(), "index %s has a subtree", index);
    long left = SubtreeHeader.NONE;
    long entries = 0;
    long largest = 0;
    int closing = 0;
    Map<Long, SubtreeHeader> owners = new HashMap<>();
    for (int i = 0; i < crown.size(); i++) {
      CrownEntry entry = crown.get(i);
      SubtreeHeader header = header(entry.kcl());
      checkHeader(entry, header, left);
      header.locks().forEach(lock -> owners.putIfAbsent(lock.owner(), header));
      checkNext(crown, i, header);
      long count = checkEntries(entry.kcl(), header);
      entries += count;
      largest = Math.max(largest, count);
      closing += header.closing() == null ? 0 : 1;
      left = entry.kcl();
    }
    checkOwners(owners);
    return new Report(crown.size(), entries, largest, closing);
  }

  /** Each lock is of a prepared transaction that waits for its decision. */
  private void checkOwners(Map<Long, SubtreeHeader> owners) throws TimeoutException {
    if (owners.isEmpty()) {
      return;
    }
    byte[] from = PreparedEntry.firstKu();
    while (true) {
      ReadAnswer.Scanned page = scan(ReservedKcl.PREPARED.kcl(), from, null);
      for (ReadAnswer.Entry each : page.entries()) {
        from = KeyRange.successor(each.ku());
        if (each.value() != null) {
          PreparedEntry entry = PreparedEntry.decode(each.ku(), each.value());
          if (entry.holds(index)) {
            owners.remove(entry.owner());
          }
        }
      }
      if (page.complete()) {
        Invariant.holds(owners.isEmpty(), "locks of index %s have an owner: %s", index, owners);
        return;
      }
    }
  }

  private void checkHeader(CrownEntry entry, SubtreeHeader header, long left) {
    long kcl = entry.kcl();
    Invariant.holds(header.index() == index, "kcl %s is of index %s: %s", kcl, index, header);
    Invariant.holds(
        Arrays.equals(header.low(), entry.separator()),
        "kcl %s begins where the crown says, %s: %s",
        kcl,
        Keys.text(entry.separator()),
        header);
    Invariant.holds(header.left() == left, "kcl %s links back to %s: %s", kcl, left, header);
    Invariant.holds(
        header.cameFrom() == entry.cameFrom(), "kcl %s came from one place: %s", kcl, header);
  }

  private static void checkNext(List<CrownEntry> crown, int i, SubtreeHeader header) {
    long kcl = crown.get(i).kcl();
    if (i + 1 == crown.size()) {
      Invariant.holds(header.high() == null, "the last subtree %s has no end: %s", kcl, header);
      return;
    }
    CrownEntry next = crown.get(i + 1);
    Invariant.holds(
        Arrays.equals(header.high(), next.separator()),
        "kcl %s ends where the next begins, %s: %s",
        kcl,
        Keys.text(next.separator()),
        header);
    Invariant.holds(
        header.right() == next.kcl(), "kcl %s links to %s: %s", kcl, next.kcl(), header);
  }

  private SubtreeHeader header(long kcl) throws TimeoutException {
    ReadAnswer answer = read(new ReadQuery.Get(CompositeKey.header(kcl)));
    byte[] value = answer instanceof ReadAnswer.Got got ? got.value() : null;
    if (value == null) {
      throw Invariant.violation("the crown leads to kcl %s, which has no header", kcl);
    }
    return SubtreeHeader.decode(value);
  }

  private long checkEntries(long kcl, SubtreeHeader header) throws TimeoutException {
    long count = 0;
    byte[] last = null;
    byte[] from = EntryKeys.ku(header.low());
    while (true) {
      ReadAnswer.Scanned page = scan(kcl, from, EntryKeys.endKu(header.high()));
      for (ReadAnswer.Entry entry : page.entries()) {
        byte[] key = EntryKeys.userKey(entry.ku());
        Invariant.holds(
            header.covers(key), "key %s is outside of kcl %s: %s", Keys.text(key), kcl, header);
        Invariant.holds(
            last == null || Arrays.compareUnsigned(last, key) < 0,
            "key %s of kcl %s is in order",
            Keys.text(key),
            kcl);
        last = key;
        count += entry.seen().tombstone() ? 0 : 1;
        from = KeyRange.successor(entry.ku());
      }
      if (page.complete() || isAtEnd(from, header)) {
        return count;
      }
    }
  }

  /** A subtree can end right behind its last entry, and does not cover its own end. */
  private static boolean isAtEnd(byte[] from, SubtreeHeader header) {
    byte[] end = EntryKeys.endKu(header.high());
    return end != null && Arrays.compareUnsigned(from, end) >= 0;
  }

  private List<CrownEntry> crown() throws TimeoutException {
    List<CrownEntry> crown = new ArrayList<>();
    byte[] from = CrownEntry.ku(index, new byte[0]);
    byte[] to = CrownEntry.ku(index + 1, new byte[0]);
    while (true) {
      ReadAnswer.Scanned page = scan(ReservedKcl.CROWN.kcl(), from, to);
      for (ReadAnswer.Entry entry : page.entries()) {
        if (entry.value() != null) {
          crown.add(CrownEntry.decode(entry.ku(), entry.value()));
        }
        from = KeyRange.successor(entry.ku());
      }
      if (page.complete()) {
        return crown;
      }
    }
  }

  private ReadAnswer.Scanned scan(long kcl, byte[] from, byte @Nullable [] to)
      throws TimeoutException {
    ReadAnswer answer = read(new ReadQuery.Scan(kcl, from, to, false, PAGE_ENTRIES, true));
    if (answer instanceof ReadAnswer.Scanned page) {
      return page;
    }
    throw Invariant.violation("kcl %s does not cover its own range: %s", kcl, answer);
  }

  private ReadAnswer read(ReadQuery query) throws TimeoutException {
    ReadAnswer answer = transaction.read(query);
    if (answer instanceof ReadAnswer.Unavailable || answer instanceof ReadAnswer.TooOld) {
      throw new TimeoutException("kcl " + query.kcl() + " cannot be read: " + answer);
    }
    return answer;
  }
}
