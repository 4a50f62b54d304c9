package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Numbers of bytes with their unit. */
public record Sizes(Quantities quantities) implements Kind<Long> {
  /** Sizes of a range, in bytes. */
  public Sizes(long min, long max) {
    this(Quantities.bytes(min, max));
  }

  @Override
  public String what() {
    return "size";
  }

  @Override
  public String unit() {
    return quantities.units();
  }

  @Override
  public String range() {
    return quantities.range();
  }

  @Override
  public Long parse(String text) throws WrongValueException {
    return quantities.parse(text);
  }

  @Override
  public Long read(FileNode node) throws WrongValueException {
    return quantities.read(node);
  }

  @Override
  public String text(Long value) {
    return quantities.text(value);
  }

  @Override
  public String yaml(Long value) {
    return text(value);
  }

  @Override
  public void schema(ObjectNode schema) {
    quantities.schema(schema);
  }
}
