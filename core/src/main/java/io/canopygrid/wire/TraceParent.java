package io.canopygrid.wire;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The place in a trace below which spans of somebody else belong, as the header {@code traceparent}
 * of the W3C's Trace Context says it. Immutable.
 *
 * @param traceId 32 hexadecimal digits in lower case, not all zero
 * @param spanId 16 such digits, not all zero
 * @param flags the eight bits of trace flags, of which this release knows {@link #SAMPLED}
 */
public record TraceParent(String traceId, String spanId, int flags) {
  /** The caller may have recorded the trace. */
  public static final int SAMPLED = 1;

  private static final int VERSION_END = 2;
  private static final int TRACE_END = VERSION_END + 1 + 32;
  private static final int SPAN_END = TRACE_END + 1 + 16;

  /** The length in version 00; later versions may be longer, and begin in the same way. */
  private static final int LENGTH = SPAN_END + 1 + 2;

  /**
   * The place that a text names. As the W3C says, a text that does not is ignored as if there were
   * none, and of a version that is not known the fields of version 00 are taken.
   *
   * @return null: the text names none
   */
  public static @Nullable TraceParent parse(String text) {
    if (text.length() < LENGTH || !hasDashes(text) || !isHexadecimal(text)) {
      return null;
    }
    String version = text.substring(0, VERSION_END);
    boolean fits = text.length() == LENGTH || (!version.equals("00") && text.charAt(LENGTH) == '-');
    String traceId = text.substring(VERSION_END + 1, TRACE_END);
    String spanId = text.substring(TRACE_END + 1, SPAN_END);
    if (version.equals("ff") || !fits || isZero(traceId) || isZero(spanId)) {
      return null;
    }
    return new TraceParent(traceId, spanId, HexFormat.fromHexDigits(text, SPAN_END + 1, LENGTH));
  }

  private static boolean hasDashes(String text) {
    return text.charAt(VERSION_END) == '-'
        && text.charAt(TRACE_END) == '-'
        && text.charAt(SPAN_END) == '-';
  }

  /** Whether all but the dashes are digits; capital letters are not allowed. */
  private static boolean isHexadecimal(String text) {
    for (int i = 0; i < LENGTH; i++) {
      char c = text.charAt(i);
      boolean dash = i == VERSION_END || i == TRACE_END || i == SPAN_END;
      if (!dash && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isZero(String digits) {
    return digits.chars().allMatch(digit -> digit == '0');
  }

  /** Whether the caller may have recorded the trace. */
  public boolean isSampled() {
    return (flags & SAMPLED) != 0;
  }

  /** The text in version 00, of 55 characters. */
  @Override
  public String toString() {
    return "00-" + traceId + "-" + spanId + "-" + HexFormat.of().toHexDigits((byte) flags);
  }
}
