/** The public API on a node in this JVM. */
@NullMarked
package io.canopygrid.btree.embedded;

import org.jspecify.annotations.NullMarked;
