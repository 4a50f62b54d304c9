package io.canopygrid.server.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.config.Choice;
import io.canopygrid.config.FileNode;
import io.canopygrid.config.Kind;
import io.canopygrid.config.WrongValueException;
import java.util.Map;
import java.util.TreeMap;

/** Loggers and their levels. */
record Levels() implements Kind<Map<String, LogLevel>> {
  private static final Choice<LogLevel> LEVEL = new Choice<>(LogLevel.class);

  @Override
  public String what() {
    return "names and words";
  }

  @Override
  public String range() {
    return "a logger's name and one of " + LEVEL.range();
  }

  @Override
  public Map<String, LogLevel> parse(String text) throws WrongValueException {
    Map<String, LogLevel> levels = new TreeMap<>();
    for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new WrongValueException(
            "like org.jgroups=debug,io.canopygrid=info, not '" + text + "'");
      }
      levels.put(
          part.substring(0, equals).strip(), LEVEL.parse(part.substring(equals + 1).strip()));
    }
    return levels;
  }

  @Override
  public Map<String, LogLevel> read(FileNode node) throws WrongValueException {
    if (!(node instanceof FileNode.Mapping mapping)) {
      throw new WrongValueException("names of loggers and their levels: org.jgroups: debug");
    }
    Map<String, LogLevel> levels = new TreeMap<>();
    for (Map.Entry<String, FileNode.Field> field : mapping.fields().entrySet()) {
      levels.put(field.getKey(), LEVEL.read(field.getValue().value()));
    }
    return levels;
  }

  @Override
  public String text(Map<String, LogLevel> value) {
    StringBuilder text = new StringBuilder();
    value.forEach((logger, level) ->
        text.append(text.isEmpty() ? "" : ",")
            .append(logger)
            .append('=')
            .append(LEVEL.text(level)));
    return text.toString();
  }

  @Override
  public String yaml(Map<String, LogLevel> value) {
    StringBuilder text = new StringBuilder();
    value.forEach((logger, level) ->
        text.append(text.isEmpty() ? "" : ", ")
            .append('"')
            .append(logger)
            .append("\": ")
            .append(LEVEL.text(level)));
    return "{" + text + "}";
  }

  @Override
  public void schema(ObjectNode schema) {
    LEVEL.schema(schema.put("type", "object").putObject("additionalProperties"));
  }
}
