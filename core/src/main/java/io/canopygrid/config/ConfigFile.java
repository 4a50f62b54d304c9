package io.canopygrid.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
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
 * Reads a YAML or JSON file token by token, so that each value keeps its line and column. The
 * reader notes each problem, and goes on where that is possible. A file is JSON where its name ends
 * in {@code .json}. Confined to one thread.
 */
final class ConfigFile {
  /** A configuration has some hundred lines; what is longer is something else. */
  private static final int BYTES_MAX = 1 << 20;

  private static final int DEPTH_MAX = 20;
  private static final JsonFactory JSON = new JsonFactory();

  private final String name;
  private final List<Problem> problems;

  /** Creates the reader of a file, or of a text that is called so; problems go to the list. */
  ConfigFile(String name, List<Problem> problems) {
    this.name = name;
    this.problems = problems;
  }

  /** The file's content, null where it cannot be read at all. */
  FileNode.@Nullable Mapping read(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > BYTES_MAX) {
        wrong(Place.file(name), "is longer than " + BYTES_MAX + " bytes");
        return null;
      }
      return parse(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      wrong(Place.file(name), "cannot be read: it is not UTF-8");
    } catch (NoSuchFileException e) {
      wrong(Place.file(name), "cannot be read: there is no such file");
    } catch (IOException e) {
      wrong(Place.file(name), "cannot be read: " + e);
    }
    return null;
  }

  /** The content of a text: JSON where the name says so, else YAML. */
  FileNode.@Nullable Mapping parse(String text) {
    try {
      return parse(text, isJson() ? JSON : YamlFormat.factory());
    } catch (NoClassDefFoundError e) {
      wrong(
          Place.file(name),
          "is YAML, which needs jackson-dataformat-yaml on the class path; without it a file is"
              + " JSON and its name ends in .json");
    } catch (IOException e) {
      wrong(Place.file(name), "cannot be read: " + e);
    }
    return null;
  }

  private boolean isJson() {
    return name.endsWith(".json");
  }

  private FileNode.@Nullable Mapping parse(String text, JsonFactory format) throws IOException {
    try (JsonParser parser = format.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null && !isJson()) {
        return new FileNode.Mapping(new Place(name, 1, 1), Map.of()); // nothing, or comments only
      }
      if (first != JsonToken.START_OBJECT) {
        wrong(first == null ? Place.file(name) : at(parser), "names and values are expected");
        return null;
      }
      FileNode.Mapping root = mapping(parser, 0);
      if (parser.nextToken() != null) {
        wrong(at(parser), "nothing may follow the first document");
      }
      return root;
    } catch (JsonProcessingException e) {
      wrong(at(e.getLocation()), shortened(e.getOriginalMessage()));
      return null;
    }
  }

  private FileNode.Mapping mapping(JsonParser parser, int depth) throws IOException {
    Place start = at(parser);
    Map<String, FileNode.Field> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      Place nameAt = at(parser);
      parser.nextToken();
      FileNode.Field earlier = fields.get(field);
      FileNode value = node(parser, depth + 1);
      if (earlier == null) {
        fields.put(field, new FileNode.Field(nameAt, value));
      } else {
        wrong(nameAt, "'" + field + "' is given twice, first in line " + earlier.nameAt().line());
      }
    }
    return new FileNode.Mapping(start, fields);
  }

  private FileNode node(JsonParser parser, int depth) throws IOException {
    if (depth > DEPTH_MAX) {
      throw new JsonParseException(
          parser, "more than " + DEPTH_MAX + " levels", parser.currentTokenLocation());
    }
    Place at = at(parser);
    if (!isJson() && YamlFormat.isAlias(parser)) {
      return new FileNode.Scalar(
          at, FileNode.Type.OTHER, "*" + parser.getText()); // nobody takes that
    }
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(parser, depth);
      case START_ARRAY -> {
        List<FileNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(node(parser, depth + 1));
        }
        yield new FileNode.Sequence(at, items);
      }
      case VALUE_STRING -> new FileNode.Scalar(at, FileNode.Type.TEXT, parser.getText());
      case VALUE_NUMBER_INT -> new FileNode.Scalar(at, FileNode.Type.NUMBER, parser.getText());
      case VALUE_TRUE, VALUE_FALSE ->
          new FileNode.Scalar(at, FileNode.Type.BOOLEAN, parser.getText());
      default -> new FileNode.Scalar(at, FileNode.Type.OTHER, String.valueOf(parser.getText()));
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

  /** The message of YAML's parser, without the excerpts of the file that stand in it. */
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
