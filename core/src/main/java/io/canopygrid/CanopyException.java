package io.canopygrid;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An error that Canopy reports. The message begins with the code, goes on with what happened and
 * ends with what to do: {@code CNPY-3003 KEY_TOO_LARGE: the key takes 9000 bytes, at most 8192.
 * Shorten the key, …}
 *
 * <p>Immutable, apart from what every {@link Throwable} lets add.
 */
public final class CanopyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of error. */
  private final ErrorCode code;

  /** The description of the event, without code and advice. */
  private final String detail;

  /** The outcome of the transaction's writes. */
  private final CommitState commitState;

  /** The transaction that failed, null outside of one. */
  private final @Nullable String transactionId;

  /** The parts of the detail that programs may want. */
  private final TreeMap<String, String> facts;

  /** An error outside of any transaction, or before its commit: the code's own commit state. */
  public CanopyException(ErrorCode code, String detail) {
    this(code, detail, code.commitState(), null, null);
  }

  /** The same with what caused it. */
  public CanopyException(ErrorCode code, String detail, @Nullable Throwable cause) {
    this(code, detail, code.commitState(), null, cause);
  }

  /**
   * An error of a transaction.
   *
   * @param detail what happened, in words, without a full stop
   * @param commitState what became of the transaction's writes
   * @param transactionId the transaction's id, null where there is none
   * @param cause what led to it, null where nothing did
   */
  public CanopyException(
      ErrorCode code,
      String detail,
      CommitState commitState,
      @Nullable String transactionId,
      @Nullable Throwable cause) {
    this(code, detail, commitState, transactionId, cause, Map.of());
  }

  /**
   * The same with the parts of the detail that programs may want.
   *
   * @param facts see {@link #facts()}
   */
  public CanopyException(
      ErrorCode code,
      String detail,
      CommitState commitState,
      @Nullable String transactionId,
      @Nullable Throwable cause,
      Map<String, String> facts) {
    super(code + ": " + detail + ". " + code.advice(), cause);
    this.facts = new TreeMap<>(facts);
    this.code = code;
    this.detail = detail;
    this.commitState = commitState;
    this.transactionId = transactionId;
  }

  /** The kind of error. */
  public ErrorCode code() {
    return code;
  }

  /** The description of the event, without code and advice. */
  public String detail() {
    return detail;
  }

  /**
   * Whether the same transaction, run again from its beginning, can succeed and cannot take effect
   * twice: false where the commit state is not {@link CommitState#NOT_COMMITTED}.
   */
  public boolean retryable() {
    return code.retryable() && commitState == CommitState.NOT_COMMITTED;
  }

  /** Whether the transaction's writes have taken effect. */
  public CommitState commitState() {
    return commitState;
  }

  /** The transaction that failed, null outside of one. */
  public @Nullable String transactionId() {
    return transactionId;
  }

  /**
   * The parts of the detail, for programs: of a conflict {@code index}, {@code key}, and {@code
   * other}, the other transaction's label. Facts that are not known are left out.
   */
  public Map<String, String> facts() {
    return Collections.unmodifiableMap(facts);
  }
}
