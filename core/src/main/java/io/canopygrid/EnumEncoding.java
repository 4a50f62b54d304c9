package io.canopygrid;

import io.canopygrid.codec.Utf8;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A constant's place in its class in two bytes, and its name. The place gives the order. The name
 * tells that the class has changed since: another constant is never read in silence.
 */
@SuppressWarnings("EnumOrdinal") // the place is what is stored, and the name guards it
class EnumEncoding<E extends Enum<E>> implements Encoding<E> {
  private final String id;
  private final Map<String, E> byName = new HashMap<>();

  EnumEncoding(Class<E> type) {
    Arguments.notNull("the class", type);
    E[] constants = type.getEnumConstants();
    if (constants == null) {
      throw Arguments.invalid("not an enum: " + type.getName());
    }
    this.id = "enum(" + type.getName() + ")";
    for (E constant : constants) {
      byName.put(constant.name(), constant);
    }
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public boolean naturallyOrdered() {
    return true;
  }

  @Override
  public byte[] encode(E value) {
    Arguments.notNull("the value to encode", value);
    byte[] name = Utf8.encode(value.name());
    return ByteBuffer.allocate(Short.BYTES + name.length)
        .putShort((short) value.ordinal())
        .put(name)
        .array();
  }

  @Override
  public E decode(byte[] bytes) {
    Arguments.notNull("the bytes to decode", bytes);
    if (bytes.length <= Short.BYTES) {
      throw failure("a place and a name wanted");
    }
    int place = ByteBuffer.wrap(bytes).getShort() & 0xFFFF;
    String name = name(bytes);
    E constant = byName.get(name);
    if (constant == null) {
      throw failure("there is no constant '" + name + "' now");
    }
    if (constant.ordinal() != place) {
      throw failure(
          ("constant " + name + " was number " + place + " and is " + constant.ordinal() + " now")
              + ": others may only be added behind the last one");
    }
    return constant;
  }

  private String name(byte[] bytes) {
    try {
      return Utf8.decode(Arrays.copyOfRange(bytes, Short.BYTES, bytes.length));
    } catch (MalformedBytesException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: " + e.getMessage(), e);
    }
  }

  private CanopyException failure(String why) {
    return new CanopyException(ErrorCode.CODEC_FAILURE, "codec " + id + " cannot decode: " + why);
  }

  /** The id. */
  @Override
  public String toString() {
    return id;
  }
}
