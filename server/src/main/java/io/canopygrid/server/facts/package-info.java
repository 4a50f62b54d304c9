/**
 * Facts of this JVM that support needs: its release and memory, its threads, the last lines of its
 * log. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.facts;

import org.jspecify.annotations.NullMarked;
