/** Internal. Questions between nodes beside the protocol of transactions. */
@NullMarked
package io.canopygrid.btree.question;

import org.jspecify.annotations.NullMarked;
