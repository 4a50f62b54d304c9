package io.canopygrid.client.netty;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.wire.client.Reply;

/**
 * What a server said to a request.
 *
 * @param known all clocks that were said on the connection until then, joined
 */
public record Answer(Reply reply, VectorClock known) {}
