package io.canopygrid.spring.boot;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;

/** A property that Canopy does not take. */
final class WrongSettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String property;
  private final CanopyException refusal;

  WrongSettingException(String property, CanopyException refusal) {
    super(property + ": " + refusal.getMessage(), refusal);
    this.property = property;
    this.refusal = refusal;
  }

  /** A property that is missing, or goes with others only. */
  WrongSettingException(String property, String why) {
    this(property, new CanopyException(ErrorCode.CONFIG_INVALID, why));
  }

  String property() {
    return property;
  }

  CanopyException refusal() {
    return refusal;
  }
}
