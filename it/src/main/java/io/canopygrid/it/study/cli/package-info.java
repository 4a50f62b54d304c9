/** The commands of the evaluation. */
@NullMarked
package io.canopygrid.it.study.cli;

import org.jspecify.annotations.NullMarked;
