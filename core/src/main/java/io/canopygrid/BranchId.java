package io.canopygrid;

import java.util.Arrays;
import java.util.HexFormat;
import javax.transaction.xa.Xid;

/**
 * The id of a branch of a global transaction, as a transaction manager gives it: a {@link Xid} with
 * equality and a text. Immutable.
 */
public final class BranchId implements Xid {
  private static final HexFormat HEX = HexFormat.of();

  private final int format;
  private final byte[] global;
  private final byte[] branch;

  private BranchId(int format, byte[] global, byte[] branch) {
    if (format == -1) {
      throw new IllegalArgumentException("must not be that of the null id: format=-1");
    }
    if (global.length < 1 || global.length > MAXGTRIDSIZE) {
      throw new IllegalArgumentException(
          "must be 1 to " + MAXGTRIDSIZE + ": bytes of the global id=" + global.length);
    }
    if (branch.length > MAXBQUALSIZE) {
      throw new IllegalArgumentException(
          "must be 0 to " + MAXBQUALSIZE + ": bytes of the branch=" + branch.length);
    }
    this.format = format;
    this.global = global;
    this.branch = branch;
  }

  /**
   * The id with these parts.
   *
   * @throws IllegalArgumentException if a part is too long, or the global id empty
   */
  public static BranchId of(int format, byte[] global, byte[] branch) {
    return new BranchId(format, global.clone(), branch.clone());
  }

  /** A transaction manager's id. */
  public static BranchId of(Xid xid) {
    return of(xid.getFormatId(), xid.getGlobalTransactionId(), xid.getBranchQualifier());
  }

  /**
   * The id of a text as {@link #toString} gives it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static BranchId parse(String text) {
    int first = text.indexOf(':');
    int second = text.indexOf(':', first + 1);
    if (first < 1 || second < 0) {
      throw new IllegalArgumentException("must be FORMAT:GLOBAL:BRANCH: id=" + text);
    }
    return new BranchId(
        Integer.parseInt(text.substring(0, first)),
        HEX.parseHex(text.substring(first + 1, second)),
        HEX.parseHex(text.substring(second + 1)));
  }

  @Override
  public int getFormatId() {
    return format;
  }

  @Override
  public byte[] getGlobalTransactionId() {
    return global.clone();
  }

  @Override
  public byte[] getBranchQualifier() {
    return branch.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BranchId id
        && format == id.format
        && Arrays.equals(global, id.global)
        && Arrays.equals(branch, id.branch);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * format + Arrays.hashCode(global)) + Arrays.hashCode(branch);
  }

  /** The format, the global id and the branch, the latter two in hexadecimal, with colons. */
  @Override
  public String toString() {
    return format + ":" + HEX.formatHex(global) + ":" + HEX.formatHex(branch);
  }
}
