/** Tests of change feeds. */
@NullMarked
package io.canopygrid.server.endpoint.feed;

import org.jspecify.annotations.NullMarked;
