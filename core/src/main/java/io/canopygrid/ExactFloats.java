package io.canopygrid;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON numbers into {@code double} and {@code float}, and refuses a number that would become
 * another one. The text of a double has at most {@value #DOUBLE_DIGITS} digits and that of a float
 * at most {@value #FLOAT_DIGITS}, in all releases of Java, so numbers with more are not their
 * texts.
 *
 * @param <T> Double or Float
 */
final class ExactFloats<T extends Number> extends StdDeserializer<T> {
  private static final long serialVersionUID = 1;
  private static final int DOUBLE_DIGITS = 17;
  private static final int FLOAT_DIGITS = 9;

  private final transient JsonDeserializer<?> plain;
  private final int digits;

  private ExactFloats(Class<T> type, int digits) {
    super(type);
    this.plain = NumberDeserializers.find(type, type.getName());
    this.digits = digits;
  }

  /** The module that reads both types, as objects and as primitives. */
  static Module module() {
    return new SimpleModule("exact-floats")
        .addDeserializer(Double.class, new ExactFloats<>(Double.class, DOUBLE_DIGITS))
        .addDeserializer(double.class, new ExactFloats<>(double.class, DOUBLE_DIGITS))
        .addDeserializer(Float.class, new ExactFloats<>(Float.class, FLOAT_DIGITS))
        .addDeserializer(float.class, new ExactFloats<>(float.class, FLOAT_DIGITS));
  }

  @Override
  @SuppressWarnings("unchecked") // the plain deserializer is the one of the same type
  public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
    JsonToken token = in.currentToken();
    String text = token.isNumeric() ? in.getText() : "";
    T read = (T) plain.deserialize(in, context);
    if (token.isNumeric() && !holds(read, text, token == JsonToken.VALUE_NUMBER_INT)) {
      throw InvalidFormatException.from(
          in, "the number " + text + " does not fit into a " + handledType(), text, handledType());
    }
    return read;
  }

  /** Whether the number is the one of the text, or the nearest to a text of so few digits. */
  private boolean holds(Number read, String text, boolean whole) {
    if (!Double.isFinite(read.doubleValue())) {
      return false;
    }
    BigDecimal written = new BigDecimal(text);
    BigDecimal exact = new BigDecimal(read.doubleValue());
    if (exact.compareTo(written) == 0) {
      return true;
    }
    return !whole && exact.signum() != 0 && written.stripTrailingZeros().precision() <= digits;
  }

  @Override
  @SuppressWarnings("unchecked") // as above
  public @Nullable T getNullValue(DeserializationContext context)
      throws com.fasterxml.jackson.databind.JsonMappingException {
    return (T) plain.getNullValue(context);
  }
}
