package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;

/**
 * Texts of a form.
 *
 * @param range the form in words
 */
public record Texts(Pattern form, String range) implements Kind<String> {
  /** Texts that match a regular expression. */
  public Texts(String form, String range) {
    this(Pattern.compile(form), range);
  }

  @Override
  public String what() {
    return "text";
  }

  @Override
  public String parse(String text) throws WrongValueException {
    if (!form.matcher(text).matches()) {
      throw new WrongValueException(range + ", not '" + text + "'");
    }
    return text;
  }

  @Override
  public void schema(ObjectNode schema) {
    schema.put("type", "string").put("pattern", "^(" + form.pattern() + ")$").put("x-range", range);
  }
}
