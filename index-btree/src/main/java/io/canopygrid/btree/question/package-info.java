/** Questions between nodes beside the protocol of transactions. Internal: not for applications. */
@NullMarked
package io.canopygrid.btree.question;

import org.jspecify.annotations.NullMarked;
