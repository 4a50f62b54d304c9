package io.canopygrid.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Small damage to the history of a right database, as a wrong one might have done it. */
public enum Damage {
  /** One read has two neighbours the wrong way round. */
  SWAP {
    @Override
    History apply(History history, Random random) {
      Op read = pick(history, random, op -> isRead(op, 2));
      long[] values = read.observed().clone();
      int at = random.nextInt(values.length - 1);
      long kept = values[at];
      values[at] = values[at + 1];
      values[at + 1] = kept;
      return replace(history, read, read.saw(values));
    }
  },
  /** One read lacks an element that is not the last one. */
  GAP {
    @Override
    History apply(History history, Random random) {
      Op read = pick(history, random, op -> isRead(op, 2));
      return replace(history, read, without(read, random.nextInt(read.observed().length - 1)));
    }
  },
  /** Every read lacks an element that was acknowledged. */
  LOSS {
    @Override
    History apply(History history, Random random) {
      Op append = pick(history, random, op -> op.kind() == Op.Kind.APPEND);
      List<Txn> txns = new ArrayList<>(history.txns());
      txns.replaceAll(txn ->
          txn.withOps(
              txn.ops().stream()
                  .map(op -> reads(op, append) ? without(op, indexOf(op, append)) : op)
                  .toList()));
      return history.withTxns(txns);
    }
  },
  /**
   * One read lacks the last few elements. A read of the past is wrong only if something else says
   * that it came later, which often nothing does: a snapshot may be old.
   */
  PAST {
    private static final int ELEMENTS = 4;

    @Override
    History apply(History history, Random random) {
      Op read = pick(history, random, op -> isRead(op, ELEMENTS + 1));
      long[] values = read.observed();
      return replace(history, read, read.saw(Arrays.copyOf(values, values.length - ELEMENTS)));
    }
  };

  /** A copy of a history of lists with one such damage in an acknowledged transaction. */
  abstract History apply(History history, Random random);

  /** Damages a history again and again, each time a fresh copy; how many in a hundred are found. */
  public int foundPercent(History history, int times, long seed) {
    Random random = new Random(seed);
    int found = 0;
    for (int i = 0; i < times; i++) {
      found +=
          HistoryChecker.check(apply(history, random), Model.EXTENDED_UPDATE_SERIALIZABLE, true)
                  .clean()
              ? 0
              : 1;
    }
    return found * 100 / times;
  }

  private static Op pick(History history, Random random, Predicate<Op> fits) {
    while (true) {
      Txn txn = history.txns().get(random.nextInt(history.txns().size()));
      if (txn.status() == Txn.Status.OK && !txn.fin()) {
        @Nullable Op op = txn.ops().stream().filter(fits).findFirst().orElse(null);
        if (op != null) {
          return op;
        }
      }
    }
  }

  private static boolean isRead(Op op, int elementsLeast) {
    return op.kind() == Op.Kind.READ && op.observed().length >= elementsLeast;
  }

  /** The history with one operation, that very one, replaced. */
  @SuppressWarnings("ReferenceEquality")
  private static History replace(History history, Op victim, Op damaged) {
    List<Txn> txns = new ArrayList<>(history.txns());
    txns.replaceAll(
        txn -> txn.withOps(txn.ops().stream().map(op -> op == victim ? damaged : op).toList()));
    return history.withTxns(txns);
  }

  private static boolean reads(Op op, Op append) {
    return op.kind() == Op.Kind.READ && op.key().equals(append.key()) && indexOf(op, append) >= 0;
  }

  private static int indexOf(Op read, Op append) {
    for (int i = 0; i < read.observed().length; i++) {
      if (read.observed()[i] == append.element()) {
        return i;
      }
    }
    return -1;
  }

  private static Op without(Op read, int index) {
    long[] values = read.observed();
    long[] fewer = new long[values.length - 1];
    System.arraycopy(values, 0, fewer, 0, index);
    System.arraycopy(values, index + 1, fewer, index, fewer.length - index);
    return read.saw(fewer);
  }
}
