package io.canopygrid.server.config;

import java.util.List;
import java.util.Map;

/** A value of a configuration file with its place. */
sealed interface Node {
  Place at();

  /** What kinds of plain values there are. */
  enum Type {
    /** A text. */
    TEXT,
    /** A whole number. */
    NUMBER,
    /** {@code true} or {@code false}. */
    BOOLEAN,
    /** Anything else: fractions, and no value at all. */
    OTHER
  }

  /** A plain value. */
  record Scalar(Place at, Type type, String text) implements Node {}

  /** A list. */
  record Sequence(Place at, List<Node> items) implements Node {}

  /** Names and values, in their order. */
  record Mapping(Place at, Map<String, Field> fields) implements Node {}

  /** A value and where its name stands. */
  record Field(Place nameAt, Node value) {}
}
