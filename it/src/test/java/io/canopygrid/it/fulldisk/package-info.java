/** Servers whose disks fill up. */
@NullMarked
package io.canopygrid.it.fulldisk;

import org.jspecify.annotations.NullMarked;
