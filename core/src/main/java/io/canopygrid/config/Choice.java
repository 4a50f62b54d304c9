package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.text.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A choice of a few words: the names of an enum in small letters. */
public record Choice<E extends Enum<E>>(Class<E> type) implements Kind<E> {
  private List<String> words() {
    return Arrays.stream(type.getEnumConstants()).map(this::text).toList();
  }

  @Override
  public String what() {
    return "word";
  }

  @Override
  public String range() {
    return String.join(", ", words());
  }

  @Override
  public E parse(String text) throws WrongValueException {
    for (E value : type.getEnumConstants()) {
      if (text(value).equals(text.toLowerCase(Locale.ROOT))) {
        return value;
      }
    }
    throw new WrongValueException(
        "one of " + range() + ", not '" + text + "'", NearestName.of(text, words()));
  }

  /** In YAML {@code off} is a boolean, and here it is a word. */
  @Override
  public E read(FileNode node) throws WrongValueException {
    if (node instanceof FileNode.Scalar scalar && scalar.type() != FileNode.Type.OTHER) {
      return parse(scalar.text());
    }
    throw new WrongValueException(Kind.wanted(node, "one of " + range()));
  }

  @Override
  public String text(E value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String yaml(E value) {
    return text(value);
  }

  @Override
  public void schema(ObjectNode schema) {
    var words = schema.put("type", "string").putArray("enum");
    words().forEach(words::add);
  }
}
