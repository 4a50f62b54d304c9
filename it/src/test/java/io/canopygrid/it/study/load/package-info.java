/** Tests of the evaluation's {@code load}. */
@NullMarked
package io.canopygrid.it.study.load;

import org.jspecify.annotations.NullMarked;
