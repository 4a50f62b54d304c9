/** Entries that take more room than memory has. */
@NullMarked
package io.canopygrid.it.cold;

import org.jspecify.annotations.NullMarked;
