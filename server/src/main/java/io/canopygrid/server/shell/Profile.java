package io.canopygrid.server.shell;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.text.NearestName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way to a cluster under a name, from a person's own file.
 *
 * @param url the servers; null: not said
 * @param trust the certificates to trust; null: not said
 * @param user who connects; null: not said
 * @param passwordFile where the password is; null: not said. The password itself stands in no
 *     profile
 */
record Profile(
    @Nullable String url,
    @Nullable Path trust,
    @Nullable String user,
    @Nullable Path passwordFile) {
  /** The profile without a name. */
  static final Profile NONE = new Profile(null, null, null, null);

  private static final List<String> FIELDS = List.of("url", "trust", "user", "passwordFile");

  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory()).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  /** The file with a person's profiles: below {@code XDG_CONFIG_HOME}, by default in the home. */
  static Path file(Map<String, String> environment, String home) {
    String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path directory = config.isEmpty() ? Path.of(home, ".config") : Path.of(config);
    return directory.resolve("canopy").resolve("profiles.yaml");
  }

  /**
   * Reads the profile of that name. Files that it names are looked for from the file's directory.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} where the file cannot be read, has no
   *     such profile, or has something else in it
   */
  static Profile read(Path file, String name) {
    JsonNode all = parse(file);
    List<String> names = new ArrayList<>();
    all.fieldNames().forEachRemaining(names::add);
    JsonNode profile = all.get(name);
    if (profile == null) {
      throw wrong(file, "there is no profile '" + name + "'" + nearest(name, names));
    }
    profile.properties().forEach(field -> check(file, name, field.getKey(), field.getValue()));
    if (!profile.isObject()) {
      throw wrong(file, "profile '" + name + "' must be names and values");
    }
    return new Profile(
        text(profile, "url"),
        path(file, text(profile, "trust")),
        text(profile, "user"),
        path(file, text(profile, "passwordFile")));
  }

  private static JsonNode parse(Path file) {
    try {
      JsonNode all = YAML.readTree(Files.readString(file));
      if (!all.isObject()) {
        throw wrong(file, "names of profiles are expected");
      }
      return all;
    } catch (JsonProcessingException e) {
      throw wrong(file, "is not understood: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw wrong(file, "cannot be read: " + e);
    }
  }

  private static void check(Path file, String profile, String field, JsonNode value) {
    String at = "'" + field + "' of profile '" + profile + "'";
    if (!FIELDS.contains(field)) {
      throw wrong(file, "unknown name " + at + nearest(field, FIELDS));
    }
    if (!value.isTextual()) {
      throw wrong(file, at + " must be a text");
    }
  }

  private static String nearest(String name, List<String> names) {
    String nearest = NearestName.of(name, names);
    return nearest.isEmpty() ? "" : ", did you mean '" + nearest + "'?";
  }

  private static @Nullable String text(JsonNode profile, String field) {
    JsonNode value = profile.get(field);
    return value == null ? null : value.asText();
  }

  private static @Nullable Path path(Path file, @Nullable String name) {
    return name == null ? null : file.toAbsolutePath().resolveSibling(name);
  }

  private static CanopyException wrong(Path file, String what) {
    return new CanopyException(ErrorCode.CONFIG_INVALID, file + ": " + what);
  }
}
