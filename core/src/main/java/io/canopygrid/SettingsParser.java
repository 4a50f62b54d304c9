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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration in JSON token by token, so that each error has its line and column: {@code
 * canopy.json:3:5: unknown name 'prot', did you mean 'port'?}
 *
 * @param <C> the configuration, immutable
 */
final class SettingsParser<C> {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final Set<String> BALANCE =
      Set.of(
          "enabled", "subtreesPerNode", "minSubtreeEntries", "movedEntriesPerSecond", "placement");

  private final String source;
  private final Map<String, Setting<C>> settings;
  private final C defaults;

  /**
   * A parser of one text.
   *
   * @param source the name of the text in errors
   * @param settings the settings by name; the configuration must have one that is called name
   * @param defaults has the values of those that are left out
   */
  SettingsParser(String source, Map<String, Setting<C>> settings, C defaults) {
    this.source = source;
    this.settings = settings;
    this.defaults = defaults;
  }

  C parse(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw invalid(parser.currentTokenLocation(), "an object { … } is expected", null);
      }
      C config = readObject(parser);
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

  private C readObject(JsonParser parser) throws IOException {
    C config = defaults;
    boolean named = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      Setting<C> setting = settings.get(key);
      if (setting == null) {
        throw invalid(
            parser.currentTokenLocation(),
            "unknown name '"
                + key
                + "', did you mean '"
                + NearestName.of(key, settings.keySet())
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

  private C apply(Setting<C> setting, String key, C config, JsonParser parser) throws IOException {
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

  static String text(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw new WrongType(parser, "a text in double quotes");
    }
    return parser.getText();
  }

  static Path path(JsonParser parser) throws IOException {
    try {
      return Path.of(text(parser));
    } catch (InvalidPathException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, "'stack' is no path: " + e.getReason());
    }
  }

  static int number(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw new WrongType(parser, "a whole number");
    }
    if (parser.getNumberType() != JsonParser.NumberType.INT) {
      throw new WrongType(parser, "a whole number below 2^31");
    }
    return parser.getIntValue();
  }

  static Duration millis(JsonParser parser) throws IOException {
    return Duration.ofMillis(number(parser));
  }

  static Balancing balancing(Balancing before, JsonParser parser) throws IOException {
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

  static List<String> texts(JsonParser parser) throws IOException {
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
  interface Setting<C> {
    C apply(C config, JsonParser parser) throws IOException;
  }

  /** The value that the parser is at is of another type; the message says which is wanted. */
  private static final class WrongType extends JsonParseException {
    private static final long serialVersionUID = 1L;

    WrongType(JsonParser parser, String wanted) {
      super(parser, wanted, parser.currentTokenLocation());
    }
  }
}
