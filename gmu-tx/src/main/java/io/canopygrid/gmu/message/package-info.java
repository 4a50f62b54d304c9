/** What the nodes of a grid say to each other: the protocol's messages as values. */
@NullMarked
package io.canopygrid.gmu.message;

import org.jspecify.annotations.NullMarked;
