/** Checks that the documentation says what the code does. */
@NullMarked
package io.canopygrid.docs;

import org.jspecify.annotations.NullMarked;
