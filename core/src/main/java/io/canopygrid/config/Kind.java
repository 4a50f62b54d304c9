package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The values that a setting takes, and the way they are written. Immutable.
 *
 * @param <T> a value in the program
 */
public interface Kind<T> {
  /** The kind in words: {@code whole number}. */
  String what();

  /** The unit, or how units are written; empty: the kind has none. */
  default String unit() {
    return "";
  }

  /** The allowed values, in words. */
  String range();

  /** A value as an environment variable or an option has it. */
  T parse(String text) throws WrongValueException;

  /** A value as a file has it. */
  default T read(FileNode node) throws WrongValueException {
    if (node instanceof FileNode.Scalar scalar && scalar.type() == FileNode.Type.TEXT) {
      return parse(scalar.text());
    }
    throw new WrongValueException(wanted(node, "a text"));
  }

  /** The value as {@link #parse} takes it. */
  default String text(T value) {
    return value.toString();
  }

  /** The value as a YAML file has it, which is JSON. */
  default String yaml(T value) {
    return '"' + text(value).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Says in JSON Schema what a file may have. */
  void schema(ObjectNode schema);

  /** The message that something else is expected than what is there. */
  static String wanted(FileNode node, String what) {
    String found = "";
    if (node instanceof FileNode.Scalar scalar) {
      found = scalar.type() == FileNode.Type.OTHER ? ", not '" + scalar.text() + "'" : "";
      boolean unquoted = scalar.type() != FileNode.Type.TEXT && what.equals("a text");
      found = unquoted && !scalar.text().isEmpty() ? " in quotes" + found : found;
    } else {
      found = node instanceof FileNode.Sequence ? ", not a list" : ", not names and values";
    }
    return what + found;
  }
}
