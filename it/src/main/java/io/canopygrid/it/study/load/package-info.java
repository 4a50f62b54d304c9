/** Workloads of the evaluation, and what they run on. */
@NullMarked
package io.canopygrid.it.study.load;

import org.jspecify.annotations.NullMarked;
