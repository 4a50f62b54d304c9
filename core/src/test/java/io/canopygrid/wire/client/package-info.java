/** Tests of the client protocol's bytes. */
@NullMarked
package io.canopygrid.wire.client;

import org.jspecify.annotations.NullMarked;
