/**
 * The engines that keep a node's data on its disk, and the way one is found
 * (docs/internals/storage.md). Engines are modules of their own, since they bring native libraries.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.storage.engine;

import org.jspecify.annotations.NullMarked;
