package io.canopygrid;

import java.util.Map;

/**
 * Functions that a server loads from jars, found by {@link java.util.ServiceLoader}: its
 * implementation is named in {@code META-INF/services/io.canopygrid.FunctionProvider}, is public
 * and has a constructor without parameters.
 */
public interface FunctionProvider {
  /** The functions by name, as {@link Canopy#register} takes them. */
  Map<String, TransactionFunction> functions();
}
