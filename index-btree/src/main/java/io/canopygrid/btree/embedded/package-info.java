/** The public API on a node in this JVM: users start with {@link EmbeddedCanopy}. */
@NullMarked
package io.canopygrid.btree.embedded;

import org.jspecify.annotations.NullMarked;
