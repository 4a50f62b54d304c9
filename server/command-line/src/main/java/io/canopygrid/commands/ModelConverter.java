package io.canopygrid.commands;

import io.canopygrid.history.Model;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Models by the names that a user types. */
final class ModelConverter implements ITypeConverter<Model>, Iterable<String> {
  private static final List<String> LABELS =
      Arrays.stream(Model.values()).map(Model::label).toList();

  /** For picocli. */
  ModelConverter() {}

  @Override
  public Model convert(String label) {
    for (Model model : Model.values()) {
      if (model.label().equalsIgnoreCase(label)) {
        return model;
      }
    }
    throw new TypeConversionException("must be one of " + LABELS + ": " + label);
  }

  @Override
  public Iterator<String> iterator() {
    return LABELS.iterator();
  }
}
