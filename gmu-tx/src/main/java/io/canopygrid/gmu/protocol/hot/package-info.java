/**
 * Hot entries (protocol.md, Hot entries): the keys that a primary is asked for most, what it tells
 * keepers of them, and what a keeper answers. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.protocol.hot;

import org.jspecify.annotations.NullMarked;
