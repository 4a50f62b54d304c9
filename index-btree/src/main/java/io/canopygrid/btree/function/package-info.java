/**
 * Registered functions between nodes: calls, answers and their bytes, and the code that runs them.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.function;

import org.jspecify.annotations.NullMarked;
