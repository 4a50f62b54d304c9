package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Files, or directories, which are there and can be read when a server starts.
 *
 * @param directory whether it is one
 */
public record FilePaths(boolean directory) implements Kind<Path> {
  @Override
  public String what() {
    return directory ? "directory" : "file";
  }

  @Override
  public String range() {
    return directory ? "a directory that can be read" : "a file that can be read";
  }

  @Override
  public Path parse(String text) throws WrongValueException {
    try {
      if (!text.isBlank()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new WrongValueException("a file's name, not '" + text + "': " + e.getReason());
    }
    throw new WrongValueException("a file's name, not nothing");
  }

  @Override
  public void schema(ObjectNode schema) {
    schema.put("type", "string").put("minLength", 1).put("x-range", range());
  }
}
