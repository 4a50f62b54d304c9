/** Tests of facts of a JVM. */
@NullMarked
package io.canopygrid.server.facts;

import org.jspecify.annotations.NullMarked;
