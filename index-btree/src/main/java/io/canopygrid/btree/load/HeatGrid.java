package io.canopygrid.btree.load;

import io.canopygrid.btree.load.LoadHistory.Step;
import io.canopygrid.btree.load.LoadHistory.Use;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The uses of ranges of keys, by steps of time, each range at all nodes together. Where a subtree
 * was wider than a range, each range that it lay in has an equal part of its uses. Confined to one
 * thread.
 */
public final class HeatGrid {
  /** The kinds of uses of a cell. */
  private static final int KINDS = 3;

  private static final double MILLI = 1e3;

  private final HeatQuestion question;

  /** Uses per second of each kind, range and step; that of kind 0 in all ranges of step 0 first. */
  private final float[] perSecond;

  /** The answer to a question, with no uses yet. */
  public HeatGrid(HeatQuestion question) {
    this.question = question;
    this.perSecond = new float[KINDS * question.steps() * ranges()];
  }

  /** The lowest key of each range, ascending. */
  public List<byte[]> lows() {
    return question.lows();
  }

  /** The number of steps. */
  public int steps() {
    return question.steps();
  }

  private int ranges() {
    return question.lows().size();
  }

  private int cell(int kind, int step, int range) {
    return (kind * question.steps() + step) * ranges() + range;
  }

  /** Reads per second of a range in a step; step 0 is the newest. */
  public double reads(int step, int range) {
    return perSecond[cell(0, step, range)];
  }

  /** Keys written and removed per second. */
  public double writes(int step, int range) {
    return perSecond[cell(1, step, range)];
  }

  /** Refused commits per second. */
  public double conflicts(int step, int range) {
    return perSecond[cell(2, step, range)];
  }

  /**
   * Adds what a node has seen.
   *
   * @param nowNanos in the time of that node
   */
  public void add(List<Step> steps, long nowNanos) {
    long stepMillis = TimeUnit.SECONDS.toMillis(LoadHistory.STEP_SECONDS);
    for (Step step : steps) {
      long ageMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - step.endedNanos());
      int at = (int) Math.min(ageMillis / stepMillis, question.steps());
      if (at < question.steps() && step.seconds() > 0) {
        step.uses().stream()
            .filter(use -> use.index() == question.index())
            .forEach(use -> add(at, use, step.seconds()));
      }
    }
  }

  private void add(int step, Use use, double seconds) {
    int first = Math.max(0, rangeOf(use.low()));
    int last = use.high() == null ? ranges() - 1 : rangeBelow(use.high());
    if (isAbove(use.low()) || last < first) {
      return; // it lies beside all ranges
    }
    double part = 1 / seconds / (last - first + 1);
    for (int range = first; range <= last; range++) {
      perSecond[cell(0, step, range)] += (float) (use.reads() * part);
      perSecond[cell(1, step, range)] += (float) (use.writes() * part);
      perSecond[cell(2, step, range)] += (float) (use.conflicts() * part);
    }
  }

  private boolean isAbove(byte[] key) {
    byte @Nullable [] high = question.high();
    return high != null && Arrays.compareUnsigned(key, high) >= 0;
  }

  /** The last range that begins at a key or below it; -1: none does. */
  private int rangeOf(byte[] key) {
    int from = 0;
    int to = ranges();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (Arrays.compareUnsigned(question.lows().get(middle), key) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  /** The last range that begins below a key; -1: none does. */
  private int rangeBelow(byte[] key) {
    int range = rangeOf(key);
    return range >= 0 && Arrays.equals(question.lows().get(range), key) ? range - 1 : range;
  }

  /**
   * The bytes, as they go from node to node: the cells that are not 0; rates keep three decimals.
   */
  public byte[] encode() {
    ByteWriter out = new ByteWriter(1_024);
    int before = -1;
    for (int i = 0; i < perSecond.length; i++) {
      long milli = Math.round(perSecond[i] * MILLI);
      if (milli > 0) {
        out.writeVarLong(i - before).writeVarLong(milli);
        before = i;
      }
    }
    return out.toBytes();
  }

  /**
   * Adds what another node has answered to the same question.
   *
   * @throws MalformedBytesException where it is no answer to that
   */
  public void add(byte[] answer) {
    ByteReader in = new ByteReader(answer);
    long at = -1;
    while (in.remaining() > 0) {
      at += in.readVarLong();
      if (at < 0 || at >= perSecond.length) {
        throw new MalformedBytesException("a cell beside the others: " + at);
      }
      perSecond[(int) at] += (float) (in.readVarLong() / MILLI);
    }
  }
}
