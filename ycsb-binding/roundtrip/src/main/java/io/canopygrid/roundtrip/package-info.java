/**
 * {@code canopy bench roundtrip}: how long a question and its answer take between two JVMs, from a
 * plain socket up to a look-up in an index.
 */
@NullMarked
package io.canopygrid.roundtrip;

import org.jspecify.annotations.NullMarked;
