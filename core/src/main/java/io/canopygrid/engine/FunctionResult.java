package io.canopygrid.engine;

import io.canopygrid.clock.VectorClock;

/**
 * The result of a function that was run elsewhere.
 *
 * @param bytes its result
 * @param clock what it has seen and done
 * @param remoteRequests how many requests it took, that for the call itself included
 * @param redirects how often the place was not where it was looked for
 */
public record FunctionResult(byte[] bytes, VectorClock clock, int remoteRequests, int redirects) {}
