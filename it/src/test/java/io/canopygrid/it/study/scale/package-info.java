/** Tests of the evaluation's {@code scale}. */
@NullMarked
package io.canopygrid.it.study.scale;

import org.jspecify.annotations.NullMarked;
