package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Files and directories of the node's machine. */
public enum FilePaths implements Kind<Path> {
  /** A file, which is there when the node starts. */
  FILE("file", "a file that can be read"),
  /** A directory, which is there when the node starts. */
  DIRECTORY("directory", "a directory that can be read"),
  /** A directory that the node writes to, and makes where there is none. */
  WRITTEN_DIRECTORY("directory", "a directory that can be written or made");

  private final String what;
  private final String range;

  FilePaths(String what, String range) {
    this.what = what;
    this.range = range;
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public String range() {
    return range;
  }

  @Override
  public Path parse(String text) throws WrongValueException {
    try {
      if (!text.isBlank()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new WrongValueException(name(text) + ": " + e.getReason());
    }
    throw new WrongValueException("a " + what + "'s name, not nothing");
  }

  private String name(String text) {
    return "a " + what + "'s name, not '" + text + "'";
  }

  @Override
  public void schema(ObjectNode schema) {
    schema.put("type", "string").put("minLength", 1).put("x-range", range());
  }
}
