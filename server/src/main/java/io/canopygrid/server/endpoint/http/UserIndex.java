package io.canopygrid.server.endpoint.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.engine.TablePart;
import io.canopygrid.names.IndexNames;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import java.util.HexFormat;

/** An index that a request names, which its sender may use so. */
record UserIndex(IndexRef ref, ValueJson keys, ValueJson values) {
  /**
   * The index of a name.
   *
   * @throws CanopyException {@link ErrorCode#FORBIDDEN} before it is told whether there is one
   */
  static UserIndex find(ServedNode node, String name, Right right, Access access) {
    IndexNames.checked(name);
    access.check(right, name);
    if (right == Right.WRITE) {
      TablePart.check(name);
    }
    IndexRef ref = node.find(name);
    return new UserIndex(
        ref,
        ValueJson.of(ref.keyCodec(), true, "the key"),
        ValueJson.of(ref.valueCodec(), false, "the value"));
  }

  /** The bytes of a key in a body. */
  byte[] key(JsonNode key) {
    return checked(keys.encode(key));
  }

  /** The bytes of a key in an address. */
  byte[] key(String text) {
    return checked(keys.encode(text));
  }

  /** The bytes of a key, or at which a subtree begins, in hexadecimal, as answers name them. */
  static byte[] bytes(String field, String text) {
    try {
      return checked(HexFormat.of().parseHex(text));
    } catch (IllegalArgumentException e) {
      throw Fields.wrong("'" + field + "' must be a key's bytes in hexadecimal, as 'at' has them");
    }
  }

  /** A key that is not too large. */
  static byte[] checked(byte[] key) {
    if (key.length > Limits.KEY_BYTES_MAX) {
      throw new CanopyException(
          ErrorCode.KEY_TOO_LARGE,
          "the key takes " + key.length + " bytes, at most " + Limits.KEY_BYTES_MAX);
    }
    return key;
  }
}
