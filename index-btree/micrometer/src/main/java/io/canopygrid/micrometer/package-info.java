/** The figures of handles and nodes as meters of Micrometer. */
@NullMarked
package io.canopygrid.micrometer;

import org.jspecify.annotations.NullMarked;
