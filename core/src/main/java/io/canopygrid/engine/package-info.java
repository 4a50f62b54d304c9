/**
 * The interfaces that an engine implements, and the values that they exchange: encoded keys and
 * values, in this JVM or over the network. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.engine;

import org.jspecify.annotations.NullMarked;
