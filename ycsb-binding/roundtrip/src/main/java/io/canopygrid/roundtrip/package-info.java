/**
 * {@code canopy bench roundtrip}: measures the time of a question and its answer between two JVMs,
 * from a plain socket up to a look-up in an index.
 */
@NullMarked
package io.canopygrid.roundtrip;

import org.jspecify.annotations.NullMarked;
