/** Tests of the port for clients. */
@NullMarked
package io.canopygrid.server.endpoint;

import org.jspecify.annotations.NullMarked;
