/** The commands of the evaluation. */
@NullMarked
package io.canopygrid.study.cli;

import org.jspecify.annotations.NullMarked;
