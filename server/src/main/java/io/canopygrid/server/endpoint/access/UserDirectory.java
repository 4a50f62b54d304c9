package io.canopygrid.server.endpoint.access;

import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.List;

/** The users of a cluster, as administrators see them. Thread-safe; may block. */
public interface UserDirectory {
  /** All users, by name. */
  List<Reply.User> list();

  /**
   * Adds or changes a user.
   *
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#INVALID_ARGUMENT}
   */
  void put(Request.PutUser user);

  /** Removes a user; whether there was one. */
  boolean remove(String name);
}
