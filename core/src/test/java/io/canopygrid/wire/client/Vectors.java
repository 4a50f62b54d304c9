package io.canopygrid.wire.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.GridId;
import io.canopygrid.IndexClone;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The file of test vectors: each sample in words and as bytes. */
final class Vectors {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Vectors() {}

  /** Writes the file anew, after a change of the protocol; the argument is the file. */
  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[0]), JSON.writeValueAsString(ofSamples()) + "\n");
  }

  static JsonNode stored() throws IOException {
    try (InputStream in = Vectors.class.getResourceAsStream("vectors.json")) {
      return JSON.readTree(in);
    }
  }

  /** Each vector as text, to be compared. */
  static List<String> lines(JsonNode vectors) {
    List<String> lines = new ArrayList<>();
    vectors.forEach(vector -> lines.add(vector.toString()));
    return lines;
  }

  static ArrayNode ofSamples() {
    ArrayNode vectors = NODES.arrayNode();
    int stream = 0;
    for (Map.Entry<String, ClientMessage> sample : Samples.all().entrySet()) {
      ObjectNode vector = vectors.addObject();
      vector.put("name", sample.getKey());
      vector.put("stream", stream);
      vector.put("type", sample.getValue().getClass().getSimpleName());
      vector.set("message", describe(sample.getValue()));
      vector.put("frame", HexFormat.of().formatHex(WireCodec.encode(stream++, sample.getValue())));
    }
    return vectors;
  }

  /** A value in JSON: records as objects, bytes in hexadecimal. */
  static JsonNode describe(@Nullable Object value) {
    if (value == null) {
      return NODES.nullNode();
    }
    if (value instanceof byte[] bytes) {
      return NODES.textNode(HexFormat.of().formatHex(bytes));
    }
    if (value instanceof Integer || value instanceof Long) {
      return NODES.numberNode(((Number) value).longValue());
    }
    if (value instanceof Double number) {
      return NODES.numberNode(number);
    }
    if (value instanceof Boolean flag) {
      return NODES.booleanNode(flag);
    }
    if (value instanceof VectorClock clock) {
      ObjectNode node = NODES.objectNode();
      for (int i = 0; i < clock.size(); i++) {
        node.put(Integer.toString(clock.shardAt(i)), clock.numberAt(i));
      }
      return node;
    }
    if (value instanceof KeyRange range) {
      ObjectNode node = NODES.objectNode();
      node.set("from", describe(range.from()));
      node.set("to", describe(range.to()));
      return node;
    }
    boolean asText =
        value instanceof NamedSnapshot || value instanceof GridId || value instanceof IndexClone;
    if (value instanceof Record fields && !asText) {
      return describeRecord(fields);
    }
    return describeOther(value);
  }

  private static JsonNode describeOther(Object value) {
    if (value instanceof List<?> list) {
      ArrayNode node = NODES.arrayNode();
      list.forEach(item -> node.add(describe(item)));
      return node;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> sorted = new TreeMap<>();
      map.forEach((key, item) -> sorted.put(key.toString(), item));
      ObjectNode node = NODES.objectNode();
      sorted.forEach((key, item) -> node.set(key, describe(item)));
      return node;
    }
    if (value instanceof NamedSnapshot snapshot) {
      return NODES
          .objectNode()
          .put("name", snapshot.name())
          .put("takenMillis", snapshot.taken().toEpochMilli());
    }
    if (value instanceof IndexClone clone) {
      return NODES
          .objectNode()
          .put("name", clone.name())
          .put("parent", clone.parent())
          .put("ofMillis", clone.of().toEpochMilli())
          .put("depth", clone.depth());
    }
    return NODES.textNode(value.toString());
  }

  private static JsonNode describeRecord(Record value) {
    ObjectNode node = NODES.objectNode();
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      try {
        node.set(component.getName(), describe(component.getAccessor().invoke(value)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot read " + component, e);
      }
    }
    return node;
  }
}
