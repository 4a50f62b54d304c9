package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A value that is on or off. */
public record Switch() implements Kind<Boolean> {
  @Override
  public String what() {
    return "switch";
  }

  @Override
  public String range() {
    return "true, false";
  }

  @Override
  public Boolean parse(String text) throws WrongValueException {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new WrongValueException("true or false, not '" + text + "'");
    };
  }

  @Override
  public Boolean read(FileNode node) throws WrongValueException {
    if (node instanceof FileNode.Scalar scalar) {
      if (scalar.type() == FileNode.Type.BOOLEAN) {
        return parse(scalar.text());
      }
      throw new WrongValueException("true or false, not '" + scalar.text() + "'");
    }
    throw new WrongValueException(Kind.wanted(node, "true or false"));
  }

  @Override
  public String yaml(Boolean value) {
    return text(value);
  }

  @Override
  public void schema(ObjectNode schema) {
    schema.put("type", "boolean");
  }
}
