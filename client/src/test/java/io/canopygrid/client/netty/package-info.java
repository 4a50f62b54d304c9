/** The client against servers that do what a test says. */
@NullMarked
package io.canopygrid.client.netty;

import org.jspecify.annotations.NullMarked;
