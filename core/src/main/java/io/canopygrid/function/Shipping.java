package io.canopygrid.function;

import org.jspecify.annotations.Nullable;

/**
 * Decides what travels when a registered function is called: the transaction or its operations
 * (docs/decisions/0010). All that run a function, or explain a call, use this one rule.
 */
public enum Shipping {
  /** The call names no place. */
  NO_PLACE(
      "the call names no place, so the function runs where it is called, and its operations go"
          + " to the data"),
  /** The caller has the place. */
  LOCAL("the place is here, so the function runs here and asks nobody for what is here"),
  /** No node is known to have the place. */
  NO_OWNER(
      "no owner of the place is known, so the function runs here, and its operations wait for"
          + " one"),
  /** Another node has the place. */
  TO_OWNER(
      "the whole transaction goes to the owner of the place, in one request, and commits there"
          + " in one phase");

  private final String why;

  Shipping(String why) {
    this.why = why;
  }

  /**
   * The rule. One request for the whole is never more than one for each read and one or two for
   * each shard that is written, whatever the function does; so the call goes to its place.
   *
   * @param placed whether the call names a place
   * @param owner who has the place; null: nobody is known to
   * @param self who calls; null: one who has nothing, as a client
   * @param <N> nodes
   */
  public static <N> Shipping of(boolean placed, @Nullable N owner, @Nullable N self) {
    if (!placed) {
      return NO_PLACE;
    }
    if (owner == null) {
      return NO_OWNER;
    }
    return owner.equals(self) ? LOCAL : TO_OWNER;
  }

  /** The reason, for people. */
  public String why() {
    return why;
  }
}
