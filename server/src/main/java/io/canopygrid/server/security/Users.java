package io.canopygrid.server.security;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.ReadFrom;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServedTransaction;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.codec.Utf8;
import io.canopygrid.engine.Begin;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.Mode;
import io.canopygrid.server.endpoint.access.UserDirectory;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The users of a cluster. A system index of the grid has them, replicated as all data, with salted
 * passwords. Thread-safe.
 */
public final class Users implements UserDirectory {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,128}");
  private static final long TIMEOUT_SECONDS = 10;
  private static final int ATTEMPTS_MAX = 20;

  private final ServedNode node;
  private final IndexRef index;

  /** The users of a node's cluster. */
  public Users(ServedNode node) {
    this.node = node;
    this.index = node.openSystem("users");
  }

  /** A user as the index has it. */
  record Stored(String name, Request.Credential credential, List<Request.Grant> grants) {}

  /** The user of a name; null: no such user exists. */
  @Nullable Stored find(String name) {
    return in(Mode.READ_ONLY, transaction -> find(transaction, name));
  }

  /** The grants of a user; null: no such user exists. */
  @Nullable List<Request.Grant> grantsOf(String name) {
    Stored user = find(name);
    return user == null ? null : user.grants();
  }

  @Override
  public List<Reply.User> list() {
    return in(
        Mode.READ_ONLY,
        transaction -> {
          List<Reply.User> users = new ArrayList<>();
          EngineScan scan = transaction.on(index).scan(KeyRange.ALL, false, Long.MAX_VALUE);
          while (scan.advance()) {
            Stored user = decode(Utf8.decode(scan.key()), scan.value());
            users.add(new Reply.User(user.name(), user.grants()));
          }
          return users;
        });
  }

  @Override
  public void put(Request.PutUser user) {
    check(user);
    in(
        Mode.UPDATE,
        transaction -> {
          Request.Credential credential = user.credential();
          if (credential == null) {
            Stored old = find(transaction, user.name());
            if (old == null) {
              throw new CanopyException(
                  ErrorCode.INVALID_ARGUMENT, "there is no user '" + user.name() + "'");
            }
            credential = old.credential();
          }
          Stored stored = new Stored(user.name(), credential, user.grants());
          transaction.on(index).put(Utf8.encode(user.name()), encode(stored));
          return stored;
        });
  }

  @Override
  public boolean remove(String name) {
    return Boolean.TRUE.equals(
        in(
            Mode.UPDATE,
            transaction -> {
              boolean there = find(transaction, name) != null;
              if (there) {
                transaction.on(index).remove(Utf8.encode(name));
              }
              return there;
            }));
  }

  private static void check(Request.PutUser user) {
    if (!NAME.matcher(user.name()).matches()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "a user's name has 1 to 128 letters, digits, '.', '_', '-' or '@'");
    }
    if (user.credential() != null) {
      Credentials.check(user.credential());
    }
    for (Request.Grant grant : user.grants()) {
      if (Role.of(grant.role()) == Role.ADMIN && !grant.index().isEmpty()) {
        throw new CanopyException(
            ErrorCode.INVALID_ARGUMENT, "nobody is the administrator of a single index");
      }
    }
  }

  private @Nullable Stored find(ServedTransaction transaction, String name) {
    byte[] value = transaction.on(index).get(Utf8.encode(name));
    return value == null ? null : decode(name, value);
  }

  private <T extends @Nullable Object> T in(Mode mode, Function<ServedTransaction, T> body) {
    for (int attempt = 1; ; attempt++) {
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
      ServedTransaction transaction =
          node.begin(
              new Begin(
                  mode, VectorClock.ZERO, deadlineNanos, "canopy.users", ReadFrom.PRIMARY, ""));
      try {
        T result = body.apply(transaction);
        transaction.commit(null);
        return result;
      } catch (CanopyException e) {
        if (!e.retryable() || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      } finally {
        transaction.end(false);
      }
    }
  }

  private static byte[] encode(Stored user) {
    ObjectNode node = JSON.createObjectNode();
    Request.Credential credential = user.credential();
    node.put("salt", credential.salt());
    node.put("iterations", credential.iterations());
    node.put("storedKey", credential.storedKey());
    node.put("serverKey", credential.serverKey());
    ObjectNode grants = node.putObject("grants");
    user.grants().forEach(grant -> grants.put(grant.index(), grant.role()));
    try {
      return JSON.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new CanopyException(ErrorCode.INTERNAL_ERROR, "a user cannot be written", e);
    }
  }

  private static Stored decode(String name, byte[] bytes) {
    try {
      JsonNode node = JSON.readTree(bytes);
      List<Request.Grant> grants = new ArrayList<>();
      node.path("grants")
          .properties()
          .forEach(
              grant -> grants.add(new Request.Grant(grant.getKey(), grant.getValue().asText())));
      return new Stored(
          name,
          new Request.Credential(
              node.path("salt").binaryValue(),
              node.path("iterations").asInt(),
              node.path("storedKey").binaryValue(),
              node.path("serverKey").binaryValue()),
          grants);
    } catch (IOException e) {
      throw new CanopyException(ErrorCode.INTERNAL_ERROR, "user '" + name + "' is unreadable", e);
    }
  }
}
