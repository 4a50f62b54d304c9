/** Workloads of the evaluation, and what they run on. */
@NullMarked
package io.canopygrid.study.load;

import org.jspecify.annotations.NullMarked;
