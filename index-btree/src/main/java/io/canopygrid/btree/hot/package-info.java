/** The hot entries of all nodes, for people. Internal: not for applications. */
@NullMarked
package io.canopygrid.btree.hot;

import org.jspecify.annotations.NullMarked;
