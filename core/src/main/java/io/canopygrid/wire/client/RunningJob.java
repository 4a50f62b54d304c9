package io.canopygrid.wire.client;

/**
 * A long job of a client that is under way.
 *
 * @param kind as in the HTTP API: {@code load}, {@code backup}, and so on
 * @param name of the index, or the table with it; empty: it is about the whole grid
 * @param total of what is to be done; 0: nobody knows
 */
public record RunningJob(String kind, String name, long done, long total) {}
