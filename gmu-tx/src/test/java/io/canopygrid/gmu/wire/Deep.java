package io.canopygrid.gmu.wire;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.store.VersionChain;
import java.lang.reflect.RecordComponent;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content of a message as text, arrays and chains included: equal texts, equal messages. */
final class Deep {
  private Deep() {}

  static String text(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    if (value instanceof byte[] bytes) {
      text.append(HexFormat.of().formatHex(bytes));
    } else if (value instanceof CompositeKey key) {
      append(text, key.bytes());
    } else if (value instanceof List<?> list) {
      text.append('[');
      for (Object element : list) {
        append(text, element);
        text.append(',');
      }
      text.append(']');
    } else if (value instanceof VersionChain chain) {
      append(text, List.of(chain.tid(), chain.writer(), chain.sequenceNumber(), chain.clock()));
      append(text, chain.value());
      append(text, chain.older());
    } else if (value instanceof Record record) {
      appendRecord(text, record);
    } else {
      text.append(value);
    }
  }

  private static void appendRecord(StringBuilder text, Record record) {
    text.append(record.getClass().getSimpleName()).append('(');
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        var accessor = component.getAccessor();
        accessor.setAccessible(true);
        append(text.append(component.getName()).append('='), accessor.invoke(record));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("an accessor of " + record.getClass(), e);
      }
      text.append(' ');
    }
    text.append(')');
  }
}
