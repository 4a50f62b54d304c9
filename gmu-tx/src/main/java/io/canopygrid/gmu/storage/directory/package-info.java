/**
 * The data directory of a node: the label that says whose data it is, and the lock that keeps other
 * processes out (docs/internals/storage.md). Knows no engine. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.storage.directory;

import org.jspecify.annotations.NullMarked;
