/** Tests of the evaluation's {@code cli}. */
@NullMarked
package io.canopygrid.it.study.cli;

import org.jspecify.annotations.NullMarked;
