package io.canopygrid.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/**
 * The only class that knows the YAML library, which an application with embedded nodes may leave
 * out: without it each method ends with a {@link NoClassDefFoundError}.
 */
final class YamlFormat {
  private static final YAMLFactory YAML = new YAMLFactory();

  private YamlFormat() {}

  static JsonFactory factory() {
    return YAML;
  }

  /** Whether the parser is at an alias, {@code *name}. */
  static boolean isAlias(JsonParser parser) throws IOException {
    return parser instanceof YAMLParser yaml && yaml.isCurrentAlias();
  }
}
