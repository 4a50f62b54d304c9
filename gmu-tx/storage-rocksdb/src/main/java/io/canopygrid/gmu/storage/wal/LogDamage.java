package io.canopygrid.gmu.storage.wal;

import java.io.IOException;

/** A log lacks records that it must have, or has others than were written. */
public final class LogDamage extends IOException {
  private static final long serialVersionUID = 1;

  LogDamage(String what) {
    super(what);
  }
}
