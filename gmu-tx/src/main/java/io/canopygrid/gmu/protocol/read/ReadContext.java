package io.canopygrid.gmu.protocol.read;

import io.canopygrid.gmu.spi.Fences;

/**
 * The things that a read needs to know besides the shard's content.
 *
 * @param scanEntriesMax how many entries an answer to a scan has at most
 * @param scanBytesMax an answer to a scan ends with the entry that takes it above this size
 */
public record ReadContext(
    int scanEntriesMax, int scanBytesMax, Fences fences, TrafficTap traffic) {}
