/** The rules of the house: which package may know which. */
@NullMarked
package io.canopygrid.it.house;

import org.jspecify.annotations.NullMarked;
