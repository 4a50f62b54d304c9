/**
 * Clusters of real JVMs on this machine, and the clients that run in them.
 *
 * <p>A test starts a {@link Cluster}: one child JVM per node ({@link NodeProcess}), joined over TCP
 * on the loopback interface. The test tells a node what to do by a line on its standard input
 * ({@link Command}), and the node answers by one on its standard output. The log of a node is in a
 * file of its own. A node ends when its standard input does, so none outlives its test.
 *
 * <p>Clients use the public API and nothing else. Each node records what its clients saw in a file
 * of its own; all nodes take their times from one monotonic clock, so that the files can be merged.
 */
@NullMarked
package io.canopygrid.soak.cluster;

import org.jspecify.annotations.NullMarked;
