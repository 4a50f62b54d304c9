/**
 * The topology installed at a node, and the flush by which it begins. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.gmu.protocol.membership;

import org.jspecify.annotations.NullMarked;
