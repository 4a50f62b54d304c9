package io.canopygrid.config;

import java.util.List;
import java.util.Map;

/** A value of a configuration file with its place. */
public sealed interface FileNode {
  /** The place of the node in the file. */
  Place at();

  /** The kinds of plain values. */
  enum Type {
    /** A text. */
    TEXT,
    /** A whole number. */
    NUMBER,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** Other values: fractions, and no value at all. */
    OTHER
  }

  /** A plain value. */
  record Scalar(Place at, Type type, String text) implements FileNode {}

  /** A list. */
  record Sequence(Place at, List<FileNode> items) implements FileNode {}

  /** Names and values, in their order. */
  record Mapping(Place at, Map<String, Field> fields) implements FileNode {}

  /** A value and where its name stands. */
  record Field(Place nameAt, FileNode value) {}
}
