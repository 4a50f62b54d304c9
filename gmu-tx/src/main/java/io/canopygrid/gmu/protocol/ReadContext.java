package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.spi.Fences;

/** What a read needs to know besides the shard's content. */
record ReadContext(ProtocolConfig config, Fences fences, TrafficTap traffic) {}
