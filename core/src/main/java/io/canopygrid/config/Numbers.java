package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Whole numbers of a range. */
public record Numbers(int min, int max) implements Kind<Integer> {
  @Override
  public String what() {
    return "whole number";
  }

  @Override
  public String range() {
    return min + " to " + max;
  }

  @Override
  public Integer read(FileNode node) throws WrongValueException {
    if (node instanceof FileNode.Scalar scalar && scalar.type() == FileNode.Type.NUMBER) {
      return parse(scalar.text());
    }
    throw new WrongValueException(Kind.wanted(node, "a whole number without quotes"));
  }

  @Override
  public Integer parse(String text) throws WrongValueException {
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return (int) number;
      }
    } catch (NumberFormatException e) {
      throw new WrongValueException("a whole number from " + range() + ", not '" + text + "'");
    }
    throw new WrongValueException("from " + range() + ", not " + text);
  }

  @Override
  public String yaml(Integer value) {
    return text(value);
  }

  @Override
  public void schema(ObjectNode schema) {
    schema.put("type", "integer").put("minimum", min).put("maximum", max);
  }
}
