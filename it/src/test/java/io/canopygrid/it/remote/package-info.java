/** Clients of server processes, some of which are killed. */
@NullMarked
package io.canopygrid.it.remote;

import org.jspecify.annotations.NullMarked;
