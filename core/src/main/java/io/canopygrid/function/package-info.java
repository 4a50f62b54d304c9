/**
 * Registered functions and the sorted load, which is one of them. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.function;

import org.jspecify.annotations.NullMarked;
