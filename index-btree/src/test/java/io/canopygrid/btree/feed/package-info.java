/** Tests of change feeds. */
@NullMarked
package io.canopygrid.btree.feed;

import org.jspecify.annotations.NullMarked;
