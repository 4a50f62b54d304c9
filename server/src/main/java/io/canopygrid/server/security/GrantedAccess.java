package io.canopygrid.server.security;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.wire.client.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rights of a user on one connection. Grants are read again when they are older than {@value
 * #FRESH_MILLIS} ms, so a change counts for open connections too. While the users cannot be read,
 * the last grants count for {@value #STALE_MILLIS} ms; after that, checks fail with the error.
 * Thread-safe; may block.
 */
final class GrantedAccess implements Access {
  /** The age of grants at most, while the users can be read. */
  static final long FRESH_MILLIS = 2_000;

  private static final long STALE_MILLIS = 30_000;
  private static final Logger LOG = LoggerFactory.getLogger(GrantedAccess.class);

  private final String user;
  private final Supplier<@Nullable List<Request.Grant>> grants;
  private final LongSupplier millis;
  private volatile Known known;

  /**
   * Creates the access with the rights as they are now.
   *
   * @param grants reads the user's grants; null: the user exists no more
   * @param millis the time, from some origin
   */
  GrantedAccess(
      String user,
      List<Request.Grant> first,
      Supplier<@Nullable List<Request.Grant>> grants,
      LongSupplier millis) {
    this.user = user;
    this.grants = grants;
    this.millis = millis;
    this.known = Known.of(first, millis.getAsLong());
  }

  /** The access of a user who has just been read. */
  static GrantedAccess of(Users users, Users.Stored user) {
    return new GrantedAccess(
        user.name(),
        user.grants(),
        () -> users.grantsOf(user.name()),
        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  }

  /** The user's roles by index; none where the user exists no more. */
  private record Known(Map<String, Role> roles, long sinceMillis) {
    static Known of(List<Request.Grant> grants, long now) {
      Map<String, Role> roles = new HashMap<>();
      grants.forEach(grant -> roles.put(grant.index(), Role.of(grant.role())));
      return new Known(roles, now);
    }

    boolean allows(String index, Right right) {
      Role role = roles.get(index);
      return role != null && role.allows(right);
    }
  }

  @Override
  public void check(Right right, String index) {
    Known now = fresh();
    if (allows(now, right, index)) {
      return;
    }
    if (index.isEmpty() && right == Right.READ && !now.roles().isEmpty()) {
      return; // whoever may read something may see what there is
    }
    String what = right.name().toLowerCase(Locale.ROOT);
    throw new CanopyException(
        ErrorCode.FORBIDDEN,
        "user '"
            + user
            + "' has no right to "
            + what
            + (index.isEmpty() ? "" : " index '" + index + "'"));
  }

  @Override
  public boolean isKnownToAllow(Right right, String index) {
    Known now = known;
    return isFresh(now) && allows(now, right, index);
  }

  private static boolean allows(Known now, Right right, String index) {
    return now.allows("", right) || (!index.isEmpty() && now.allows(index, right));
  }

  private boolean isFresh(Known now) {
    return millis.getAsLong() - now.sinceMillis() < FRESH_MILLIS;
  }

  /**
   * The roles, read again where they are old. Several threads may read at once; each result is
   * right.
   */
  private Known fresh() {
    Known now = known;
    long age = millis.getAsLong() - now.sinceMillis();
    if (age < FRESH_MILLIS) {
      return now;
    }
    long readMillis = millis.getAsLong();
    try {
      List<Request.Grant> read = grants.get();
      Known next = Known.of(read == null ? List.of() : read, readMillis);
      known = next;
      return next;
    } catch (CanopyException e) {
      if (age > STALE_MILLIS) {
        throw e;
      }
      LOG.debug("the rights of '{}' stay as they were: {}", user, e.getMessage());
      return now;
    }
  }
}
