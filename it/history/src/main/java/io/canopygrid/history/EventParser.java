package io.canopygrid.history;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes a file apart into its header and its events, without asking how they fit together. */
final class EventParser implements AutoCloseable {
  private final JsonFactory factory = new JsonFactory();
  private final JsonParser json;
  private final HistoryHeader header;
  private final Map<String, String> names = new HashMap<>();
  private long[] buffer = new long[64];

  EventParser(Path file) throws IOException {
    json = factory.createParser(file.toFile());
    header = readHeader();
  }

  HistoryHeader header() {
    return header;
  }

  /** A failure that names the line being read. */
  MalformedHistoryException malformed(String what) {
    return new MalformedHistoryException(
        "line " + json.currentLocation().getLineNr() + ": " + what);
  }

  private HistoryHeader readHeader() throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw malformed("the first line must be a header object");
    }
    int format = 0;
    String workload = "";
    long seed = 0;
    int owners = 0;
    String version = "";
    String fault = "none";
    String started = "";
    List<String> nodes = new ArrayList<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "canopy_history" -> format = json.getIntValue();
        case "workload" -> workload = json.getText();
        case "seed" -> seed = json.getLongValue();
        case "owners" -> owners = json.getIntValue();
        case "version" -> version = json.getText();
        case "fault" -> fault = json.getText();
        case "started" -> started = json.getText();
        case "nodes" -> {
          while (json.nextToken() != JsonToken.END_ARRAY) {
            nodes.add(json.getText());
          }
        }
        default -> json.skipChildren();
      }
    }
    if (format != 1) {
      throw malformed("canopy_history must be 1: " + format);
    }
    return new HistoryHeader(Workload.of(workload), seed, nodes, owners, version, fault, started);
  }

  /** The next event, null at the end of the file. */
  @Nullable Event next() throws IOException {
    JsonToken token = json.nextToken();
    if (token == null) {
      return null;
    }
    if (token != JsonToken.START_OBJECT) {
      throw malformed("an event must be an object");
    }
    Event event = new Event();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      readField(event, field);
    }
    if (event.process != Event.NO_CLIENT) {
      if (header.workload() == Workload.SINGLE_KEY) {
        event.ops = List.of(singleKey(event));
      } else if (!event.f.equals("txn")) {
        throw malformed("f must be txn: " + event.f);
      }
    }
    if (event.index < 0 || event.time < 0 || event.type.isEmpty() || event.f.isEmpty()) {
      throw malformed("an event needs index, time, type and f");
    }
    return event;
  }

  private void readField(Event event, String field) throws IOException {
    switch (field) {
      case "index" -> event.index = json.getLongValue();
      case "time" -> event.time = json.getLongValue();
      case "process" -> {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
          event.process = Event.NO_CLIENT;
        } else {
          event.process = json.getLongValue();
        }
      }
      case "type" -> event.type = intern(json.getText());
      case "f" -> event.f = intern(json.getText());
      case "node" -> event.node = intern(json.getText());
      case "error" -> event.error = intern(json.getText());
      case "key" -> event.key = intern(json.getText());
      case "old" -> event.old = readNumber();
      case "final" -> event.fin = json.getBooleanValue();
      case "value" -> {
        if (event.process == Event.NO_CLIENT) {
          event.text = copy();
        } else if (header.workload() == Workload.SINGLE_KEY) {
          event.value = readNumber();
        } else {
          event.ops = readOps(event.type);
        }
      }
      default -> json.skipChildren();
    }
  }

  private String intern(String name) {
    String known = names.putIfAbsent(name, name);
    return known == null ? name : known;
  }

  private String copy() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = factory.createGenerator(text)) {
      generator.copyCurrentStructure(json);
    }
    return text.toString();
  }

  private @Nullable Long readNumber() throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT -> json.getLongValue();
      default -> throw malformed("a value must be an integer or null");
    };
  }

  private Op singleKey(Event event) {
    if (event.key.isEmpty()) {
      throw malformed("an operation needs a key");
    }
    Long value = event.value;
    switch (event.f) {
      case "read" -> {
        Op read = Op.read(event.key);
        return value != null ? read.saw(value) : event.type.equals("ok") ? read.saw() : read;
      }
      case "write" -> {
        if (value != null) {
          return Op.write(event.key, value);
        }
      }
      case "cas" -> {
        Long old = event.old;
        if (value != null && old != null) {
          return Op.cas(event.key, value, old);
        }
      }
      case "delete" -> {
        return Op.delete(event.key);
      }
      default -> throw malformed("f must be read, write, cas or delete: " + event.f);
    }
    throw malformed("a write needs value, a cas value and old");
  }

  private List<Op> readOps(String type) throws IOException {
    List<Op> ops = new ArrayList<>();
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw malformed("value must be a list of operations");
    }
    while (json.nextToken() == JsonToken.START_ARRAY) {
      json.nextToken();
      Op.Kind kind = Op.Kind.of(json.getText());
      json.nextToken();
      String key = intern(json.getText());
      json.nextToken();
      ops.add(new Op(kind, key, readValues(kind, type)));
      if (json.nextToken() != JsonToken.END_ARRAY) {
        throw malformed("an operation is [op, key, value]");
      }
    }
    return ops;
  }

  private long @Nullable [] readValues(Op.Kind kind, String type) throws IOException {
    JsonToken token = json.currentToken();
    boolean set = kind == Op.Kind.SCAN || header.workload() == Workload.LIST_APPEND;
    if (token == JsonToken.VALUE_NUMBER_INT && (kind.isWrite() || !set)) {
      return new long[] {json.getLongValue()};
    }
    if (kind.isWrite()) {
      throw malformed("a write needs an integer");
    }
    if (token == JsonToken.VALUE_NULL) {
      return type.equals("ok") && !set ? new long[0] : null;
    }
    if (token != JsonToken.START_ARRAY || !set) {
      throw malformed("a read's value does not fit the workload");
    }
    int size = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (size == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * size);
      }
      buffer[size++] = json.getLongValue();
    }
    return Arrays.copyOf(buffer, size);
  }

  @Override
  public void close() throws IOException {
    json.close();
  }

  /** One line; filled in field by field. */
  static final class Event {
    static final long NO_CLIENT = -1;

    long index = -1;
    long time = -1;
    long process = NO_CLIENT;
    String type = "";
    String f = "";
    String node = "";
    String error = "";
    String text = "";
    String key = "";
    @Nullable Long value;
    @Nullable Long old;
    boolean fin;
    List<Op> ops = List.of();
  }
}
