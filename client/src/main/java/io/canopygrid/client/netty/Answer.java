package io.canopygrid.client.netty;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.Reply;

/**
 * A reply of a server to a request.
 *
 * @param known all clocks that were said on the connection until then, joined
 */
public record Answer(Reply reply, VectorClock known) {}
