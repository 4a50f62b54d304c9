package io.canopygrid;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.canopygrid.text.NearestName;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link ClusterConfig} token by token, so that each error knows the line and column of
 * what is wrong: {@code canopy.json:3:5: unknown name 'prot', did you mean 'port'?}
 */
final class ClusterConfigParser {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Map<String, Setting> SETTINGS = new LinkedHashMap<>();

  static {
    SETTINGS.put("name", (config, p) -> config.name(text(p)));
    SETTINGS.put("bindAddress", (config, p) -> config.bindAddress(text(p)));
    SETTINGS.put("port", (config, p) -> config.port(number(p)));
    SETTINGS.put("members", (config, p) -> config.members(texts(p)));
    SETTINGS.put("owners", (config, p) -> config.owners(number(p)));
    SETTINGS.put("shards", (config, p) -> config.shards(number(p)));
    SETTINGS.put("joinTimeoutMillis", (config, p) -> config.joinTimeout(millis(p)));
    SETTINGS.put("failureTimeoutMillis", (config, p) -> config.failureTimeout(millis(p)));
    SETTINGS.put("lockTimeoutMillis", (config, p) -> config.lockTimeout(millis(p)));
    SETTINGS.put("stateBytesPerSecond", (config, p) -> config.stateBytesPerSecond(number(p)));
    SETTINGS.put("stack", (config, p) -> config.stack(path(p)));
    SETTINGS.put("balance", (config, p) -> config.balancing(balancing(config.balancing(), p)));
  }

  private static final Set<String> BALANCE =
      Set.of(
          "enabled", "subtreesPerNode", "minSubtreeEntries", "movedEntriesPerSecond", "placement");

  private final String source;

  ClusterConfigParser(String source) {
    this.source = source;
  }

  ClusterConfig parse(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw invalid(parser.currentTokenLocation(), "an object { … } is expected", null);
      }
      ClusterConfig config = readObject(parser);
      if (parser.nextToken() != null) {
        throw invalid(parser.currentTokenLocation(), "nothing may follow the object", null);
      }
      return config;
    } catch (JsonProcessingException e) {
      throw invalid(e.getLocation(), e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, source + ": cannot be read: " + e, e);
    }
  }

  private ClusterConfig readObject(JsonParser parser) throws IOException {
    ClusterConfig config = ClusterConfig.of("unnamed");
    boolean named = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      Setting setting = SETTINGS.get(key);
      if (setting == null) {
        throw invalid(
            parser.currentTokenLocation(),
            "unknown name '"
                + key
                + "', did you mean '"
                + NearestName.of(key, SETTINGS.keySet())
                + "'?",
            null);
      }
      parser.nextToken();
      config = apply(setting, key, config, parser);
      named |= key.equals("name");
    }
    if (!named) {
      throw invalid(parser.currentTokenLocation(), "'name' is missing", null);
    }
    return config;
  }

  private ClusterConfig apply(Setting setting, String key, ClusterConfig config, JsonParser parser)
      throws IOException {
    JsonLocation where = parser.currentTokenLocation();
    try {
      return setting.apply(config, parser);
    } catch (WrongType e) {
      throw invalid(e.getLocation(), "'" + key + "' must be " + e.getOriginalMessage(), e);
    } catch (CanopyException e) {
      throw invalid(where, e.detail(), e);
    }
  }

  private CanopyException invalid(
      @Nullable JsonLocation at, String what, @Nullable Throwable cause) {
    String place = at == null ? source : source + ":" + at.getLineNr() + ":" + at.getColumnNr();
    return new CanopyException(ErrorCode.CONFIG_INVALID, place + ": " + what, cause);
  }

  private static String text(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw new WrongType(parser, "a text in double quotes");
    }
    return parser.getText();
  }

  private static Path path(JsonParser parser) throws IOException {
    try {
      return Path.of(text(parser));
    } catch (InvalidPathException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, "'stack' is no path: " + e.getReason());
    }
  }

  private static int number(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw new WrongType(parser, "a whole number");
    }
    if (parser.getNumberType() != JsonParser.NumberType.INT) {
      throw new WrongType(parser, "a whole number below 2^31");
    }
    return parser.getIntValue();
  }

  private static Duration millis(JsonParser parser) throws IOException {
    return Duration.ofMillis(number(parser));
  }

  private static Balancing balancing(Balancing before, JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new WrongType(parser, "an object { … }");
    }
    Balancing balancing = before;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      parser.nextToken();
      balancing =
          switch (key) {
            case "enabled" -> balancing.enabled(flag(parser));
            case "subtreesPerNode" -> balancing.subtreesPerNode(number(parser));
            case "minSubtreeEntries" -> balancing.minSubtreeEntries(number(parser));
            case "movedEntriesPerSecond" -> balancing.movedEntriesPerSecond(number(parser));
            case "placement" -> balancing.placement(placement(parser));
            default ->
                throw new CanopyException(
                    ErrorCode.CONFIG_INVALID,
                    "unknown name '"
                        + key
                        + "' in 'balance', did you mean '"
                        + NearestName.of(key, BALANCE)
                        + "'?");
          };
    }
    return balancing;
  }

  private static Placement placement(JsonParser parser) throws IOException {
    for (Placement placement : Placement.values()) {
      if (placement.name().toLowerCase(Locale.ROOT).equals(text(parser))) {
        return placement;
      }
    }
    throw new WrongType(parser, "\"even\" or \"near\"");
  }

  private static boolean flag(JsonParser parser) throws IOException {
    if (!parser.currentToken().isBoolean()) {
      throw new WrongType(parser, "true or false");
    }
    return parser.getBooleanValue();
  }

  private static List<String> texts(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new WrongType(parser, "a list of texts [\"host:port\", …]");
    }
    List<String> texts = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      texts.add(text(parser));
    }
    return texts;
  }

  /** Takes the value that the parser is at into a configuration. */
  @FunctionalInterface
  private interface Setting {
    ClusterConfig apply(ClusterConfig config, JsonParser parser) throws IOException;
  }

  /** The value that the parser is at is of another type; the message says which is wanted. */
  private static final class WrongType extends JsonParseException {
    private static final long serialVersionUID = 1L;

    WrongType(JsonParser parser, String wanted) {
      super(parser, wanted, parser.currentTokenLocation());
    }
  }
}
