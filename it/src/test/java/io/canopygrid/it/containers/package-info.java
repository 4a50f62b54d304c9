/** The scenarios of whole clusters with each node in a container, on a network of its own. */
@NullMarked
package io.canopygrid.it.containers;

import org.jspecify.annotations.NullMarked;
