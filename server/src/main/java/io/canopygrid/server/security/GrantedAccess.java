package io.canopygrid.server.security;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.Access;
import io.canopygrid.server.endpoint.Right;
import io.canopygrid.wire.client.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a user may do, as it was when they came. Immutable. */
final class GrantedAccess implements Access {
  private final String user;
  private final Map<String, Role> roles = new HashMap<>();

  GrantedAccess(String user, List<Request.Grant> grants) {
    this.user = user;
    grants.forEach(grant -> roles.put(grant.index(), Role.of(grant.role())));
  }

  @Override
  public void check(Right right, String index) {
    if (allows("", right) || (!index.isEmpty() && allows(index, right))) {
      return;
    }
    if (index.isEmpty() && right == Right.READ && !roles.isEmpty()) {
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

  private boolean allows(String index, Right right) {
    Role role = roles.get(index);
    return role != null && role.allows(right);
  }
}
