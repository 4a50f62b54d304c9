/** Tests of data directories. */
@NullMarked
package io.canopygrid.gmu.storage.directory;

import org.jspecify.annotations.NullMarked;
