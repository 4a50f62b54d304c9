/** The remote client: the public API over the network. The protocol has a release of its own. */
@NullMarked
package io.canopygrid.client;

import org.jspecify.annotations.NullMarked;
