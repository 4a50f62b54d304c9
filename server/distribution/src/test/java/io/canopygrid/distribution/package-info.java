/** The archive, as a user unpacks it. */
@NullMarked
package io.canopygrid.distribution;

import org.jspecify.annotations.NullMarked;
