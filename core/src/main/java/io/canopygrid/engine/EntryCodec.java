package io.canopygrid.engine;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Limits;
import io.canopygrid.Range;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.names.IndexNames;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The edge between an index's typed entries and bytes: checks for null and size, and makes each
 * exception of a codec a coded error that names the index. The codec is as thread-safe as the two
 * codecs.
 *
 * @param index the index's name, for errors
 * @param keys encodes keys
 * @param values encodes values
 * @param <K> keys
 * @param <V> values
 */
public record EntryCodec<K, V>(String index, Codec<K> keys, Codec<V> values) {
  /**
   * Checks what an index is opened with.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_INDEX_NAME}, {@link
   *     ErrorCode#NULL_NOT_ALLOWED}, {@link ErrorCode#INVALID_ARGUMENT} if the key codec keeps no
   *     order or an id is empty or longer than {@link Limits#CODEC_ID_MAX}
   */
  public EntryCodec {
    IndexNames.checked(index);
    checkCodec(index, "key", keys);
    checkCodec(index, "value", values);
    if (!keys.ordered()) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "index '"
              + index
              + "': codec "
              + keys.id()
              + " keeps no order and so cannot encode keys");
    }
  }

  /**
   * The bytes of a key.
   *
   * @throws CanopyException {@link ErrorCode#NULL_NOT_ALLOWED}, {@link ErrorCode#KEY_TOO_LARGE},
   *     {@link ErrorCode#CODEC_FAILURE}
   */
  public byte[] encodeKey(@Nullable K key) {
    byte[] bytes = encode("key", keys, key);
    return checkedKey(bytes);
  }

  /**
   * The bytes of a value.
   *
   * @throws CanopyException {@link ErrorCode#NULL_NOT_ALLOWED}, {@link ErrorCode#VALUE_TOO_LARGE},
   *     {@link ErrorCode#CODEC_FAILURE}
   */
  public byte[] encodeValue(@Nullable V value) {
    byte[] bytes = encode("value", values, value);
    if (bytes.length > Limits.VALUE_BYTES_MAX) {
      throw tooLarge(ErrorCode.VALUE_TOO_LARGE, "value", bytes.length, Limits.VALUE_BYTES_MAX);
    }
    return bytes;
  }

  /**
   * The key that these bytes stand for.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_FAILURE}
   */
  public K decodeKey(byte[] bytes) {
    return decode("key", keys, bytes);
  }

  /**
   * The value that these bytes stand for.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_FAILURE}
   */
  public V decodeValue(byte[] bytes) {
    return decode("value", values, bytes);
  }

  /**
   * The entry that these bytes stand for.
   *
   * @throws CanopyException {@link ErrorCode#CODEC_FAILURE}
   */
  public Map.Entry<K, V> decode(byte[] key, byte[] value) {
    return Map.entry(decodeKey(key), decodeValue(value));
  }

  /**
   * The encoded keys of a range.
   *
   * @throws CanopyException as {@link #encodeKey}, for a bound
   */
  public KeyRange encodeRange(@Nullable Range<K> range) {
    if (range == null) {
      throw isNull("range");
    }
    return range.encode(this::encodeKey, this::encodePrefix);
  }

  private static void checkCodec(String index, String what, @Nullable Codec<?> codec) {
    if (codec == null) {
      throw new CanopyException(
          ErrorCode.NULL_NOT_ALLOWED, "index '" + index + "': the " + what + " codec is null");
    }
    int length = codec.id().length();
    if (length < 1 || length > Limits.CODEC_ID_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT,
          "index '"
              + index
              + "': the id of the "
              + what
              + " codec must have 1 to "
              + Limits.CODEC_ID_MAX
              + " characters: has "
              + length);
    }
  }

  private byte[] encodePrefix(K prefix) {
    try {
      return checkedKey(keys.prefix(prefix));
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw failure("prefix", keys, "encode", e);
    }
  }

  private byte[] checkedKey(byte[] bytes) {
    if (bytes.length > Limits.KEY_BYTES_MAX) {
      throw tooLarge(ErrorCode.KEY_TOO_LARGE, "key", bytes.length, Limits.KEY_BYTES_MAX);
    }
    return bytes;
  }

  private <T> byte[] encode(String what, Codec<T> codec, @Nullable T value) {
    if (value == null) {
      throw isNull(what);
    }
    byte @Nullable [] bytes;
    try {
      bytes = codec.encode(value);
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw failure(what, codec, "encode", e);
    }
    if (bytes == null) {
      throw failure(what, codec, "encode", null);
    }
    return bytes;
  }

  private <T> T decode(String what, Codec<T> codec, byte[] bytes) {
    @Nullable T value;
    try {
      value = codec.decode(bytes);
    } catch (CanopyException e) {
      throw e;
    } catch (RuntimeException e) {
      throw failure(what, codec, "decode", e);
    }
    if (value == null) {
      throw failure(what, codec, "decode", null);
    }
    return value;
  }

  private CanopyException isNull(String what) {
    return new CanopyException(
        ErrorCode.NULL_NOT_ALLOWED, "index '" + index + "': the " + what + " is null");
  }

  private CanopyException tooLarge(ErrorCode code, String what, int length, int max) {
    return new CanopyException(
        code, "index '" + index + "': the " + what + " takes " + length + " bytes, at most " + max);
  }

  private CanopyException failure(
      String what, Codec<?> codec, String action, @Nullable RuntimeException cause) {
    String why = cause == null ? "its result is null" : cause.toString();
    return new CanopyException(
        ErrorCode.CODEC_FAILURE,
        "index '"
            + index
            + "': codec "
            + codec.id()
            + " cannot "
            + action
            + " the "
            + what
            + ": "
            + why,
        cause);
  }
}
