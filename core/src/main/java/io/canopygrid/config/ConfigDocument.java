package io.canopygrid.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.Collection;
import java.util.Map;

/** The settings written down: as JSON Schema, and as an example. */
public final class ConfigDocument {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WIDTH = 98;

  private ConfigDocument() {}

  /** JSON Schema (2020-12) of a configuration file, with a line's end at the end. */
  public static String schema(SettingSchema known) {
    ObjectNode root = JSON.createObjectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "Configuration of a Canopy server");
    ObjectNode sections = object(root);
    known
        .sections()
        .forEach((name, description) -> {
          ObjectNode section = sections.putObject(name).put("description", description);
          ObjectNode settings = object(section);
          known
              .inSection(name)
              .forEach(setting -> schema(setting, settings.putObject(setting.name())));
        });
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new CanopyException(ErrorCode.INTERNAL_ERROR, "the schema cannot be written", e);
    }
  }

  private static ObjectNode object(ObjectNode schema) {
    schema.put("type", "object").put("additionalProperties", false);
    return schema.putObject("properties");
  }

  private static void schema(Setting<?> setting, ObjectNode schema) {
    schema.put("description", setting.description());
    setting.kind().schema(schema);
    Object value = setting.byDefault();
    if (value == null) {
      schema.put("x-default", setting.otherwise());
    } else {
      schema.set("default", JSON.valueToTree(isPlain(value) ? value : setting.defaultText()));
    }
    schema.put("x-environment", setting.variable());
    if (!setting.option().isEmpty()) {
      schema.put("x-option", setting.option());
    }
  }

  private static boolean isPlain(Object value) {
    return value instanceof Integer
        || value instanceof Boolean
        || value instanceof Collection
        || value instanceof Map;
  }

  /** A YAML file with all settings at their defaults, as comments. */
  public static String example(SettingSchema known) {
    StringBuilder text = new StringBuilder();
    comment(
        text,
        "",
        "Configuration of a Canopy server, for canopy server --config FILE. Each setting is shown"
            + " with its default; take the # away to change it. An environment variable wins over"
            + " this file, an option over both. Check it with: canopy config check FILE");
    for (Map.Entry<String, String> section : known.sections().entrySet()) {
      text.append('\n');
      comment(text, "", section.getValue());
      text.append(section.getKey()).append(":\n");
      known.inSection(section.getKey()).forEach(setting -> example(text, setting));
    }
    return text.toString();
  }

  private static <T> void example(StringBuilder text, Setting<T> setting) {
    String unit = setting.kind().unit();
    comment(
        text,
        "  ",
        setting.description()
            + " "
            + capital(setting.kind().what())
            + (unit.isEmpty() ? "" : " (" + unit + ")")
            + ": "
            + setting.kind().range()
            + "; "
            + (setting.option().isEmpty() ? "" : setting.option() + ", ")
            + setting.variable());
    T value = setting.byDefault();
    text.append("  # ").append(setting.name()).append(": ");
    text.append(value == null ? "# " + setting.otherwise() : setting.kind().yaml(value));
    text.append('\n');
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  /** Lines that begin with two #, where those of settings begin with one. */
  private static void comment(StringBuilder text, String indent, String words) {
    int used = WIDTH;
    for (String word : words.split(" ", -1)) {
      if (used + 1 + word.length() > WIDTH) {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? "" : "\n");
        text.append(indent).append("##");
        used = indent.length() + 2;
      }
      text.append(' ').append(word);
      used += 1 + word.length();
    }
    text.append('\n');
  }
}
