/** The change feeds of clients, which the server keeps between their questions. */
@NullMarked
package io.canopygrid.server.endpoint.feed;

import org.jspecify.annotations.NullMarked;
