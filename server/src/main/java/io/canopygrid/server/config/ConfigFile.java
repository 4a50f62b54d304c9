package io.canopygrid.server.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a YAML or JSON file token by token, so that each value keeps its line and column. What is
 * wrong is noted, and reading goes on where that is possible.
 */
final class ConfigFile {
  /** A configuration has some hundred lines; what is longer is something else. */
  private static final int BYTES_MAX = 1 << 20;

  private static final int DEPTH_MAX = 20;
  private static final JsonFactory JSON = new JsonFactory();
  private static final YAMLFactory YAML = new YAMLFactory();

  private final String name;
  private final List<Problem> problems;

  private ConfigFile(String name, List<Problem> problems) {
    this.name = name;
    this.problems = problems;
  }

  /** The file's content, null where it cannot be read at all; what is wrong goes to the list. */
  static Node.@Nullable Mapping read(Path file, List<Problem> problems) {
    ConfigFile reader = new ConfigFile(file.toString(), problems);
    try {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > BYTES_MAX) {
        reader.wrong(Place.file(file.toString()), "is longer than " + BYTES_MAX + " bytes");
        return null;
      }
      boolean json = file.toString().endsWith(".json");
      return reader.parse(new String(bytes, StandardCharsets.UTF_8), json ? JSON : YAML);
    } catch (NoSuchFileException e) {
      reader.wrong(Place.file(file.toString()), "cannot be read: there is no such file");
    } catch (IOException e) {
      reader.wrong(Place.file(file.toString()), "cannot be read: " + e);
    }
    return null;
  }

  private Node.@Nullable Mapping parse(String text, JsonFactory format) throws IOException {
    try (JsonParser parser = format.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null && format instanceof YAMLFactory) {
        return new Node.Mapping(new Place(name, 1, 1), Map.of()); // nothing, or comments only
      }
      if (first != JsonToken.START_OBJECT) {
        wrong(first == null ? Place.file(name) : at(parser), "names and values are expected");
        return null;
      }
      Node.Mapping root = mapping(parser, 0);
      if (parser.nextToken() != null) {
        wrong(at(parser), "nothing may follow the first document");
      }
      return root;
    } catch (JsonProcessingException e) {
      wrong(at(e.getLocation()), shortened(e.getOriginalMessage()));
      return null;
    }
  }

  private Node.Mapping mapping(JsonParser parser, int depth) throws IOException {
    Place start = at(parser);
    Map<String, Node.Field> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      Place nameAt = at(parser);
      parser.nextToken();
      Node.Field earlier = fields.get(field);
      Node value = node(parser, depth + 1);
      if (earlier == null) {
        fields.put(field, new Node.Field(nameAt, value));
      } else {
        wrong(nameAt, "'" + field + "' is given twice, first in line " + earlier.nameAt().line());
      }
    }
    return new Node.Mapping(start, fields);
  }

  private Node node(JsonParser parser, int depth) throws IOException {
    if (depth > DEPTH_MAX) {
      throw new com.fasterxml.jackson.core.JsonParseException(
          parser, "more than " + DEPTH_MAX + " levels", parser.currentTokenLocation());
    }
    Place at = at(parser);
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      return new Node.Scalar(at, Node.Type.OTHER, "*" + parser.getText()); // nobody takes that
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(parser, depth);
      case START_ARRAY -> {
        List<Node> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(node(parser, depth + 1));
        }
        yield new Node.Sequence(at, items);
      }
      case VALUE_STRING -> new Node.Scalar(at, Node.Type.TEXT, parser.getText());
      case VALUE_NUMBER_INT -> new Node.Scalar(at, Node.Type.NUMBER, parser.getText());
      case VALUE_TRUE, VALUE_FALSE -> new Node.Scalar(at, Node.Type.BOOLEAN, parser.getText());
      default -> new Node.Scalar(at, Node.Type.OTHER, String.valueOf(parser.getText()));
    };
  }

  private Place at(JsonParser parser) {
    return at(parser.currentTokenLocation());
  }

  private Place at(@Nullable JsonLocation location) {
    return location == null
        ? Place.file(name)
        : new Place(name, location.getLineNr(), location.getColumnNr());
  }

  private void wrong(Place at, String what) {
    problems.add(Problem.at(at, what));
  }

  /** What YAML's parser says, without the excerpts of the file that stand between. */
  private static String shortened(String message) {
    List<String> parts = new ArrayList<>();
    String before = "";
    for (String line : message.lines().toList()) {
      if (line.startsWith(" in ") && !before.isEmpty()) {
        parts.add(before);
      }
      before = line.startsWith(" ") ? "" : line;
    }
    return parts.isEmpty()
        ? message.lines().findFirst().orElse("is not understood")
        : String.join(", ", parts);
  }
}
