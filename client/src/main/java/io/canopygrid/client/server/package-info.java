/** The cluster as one client knows it: servers, routes, names. Internal: not for applications. */
@NullMarked
package io.canopygrid.client.server;

import org.jspecify.annotations.NullMarked;
