/**
 * Breaks a cluster of real processes again and again while clients use it, and checks what they
 * saw.
 *
 * <p>A {@link Soak} is a row of {@link Round}s. In each, clients of all nodes work on fresh indexes
 * while the {@link Nemesis} does its worst; then the cluster is healed, every key is read from
 * every node, and the histories are checked. What each {@link ClusterFault} does is in
 * docs/operate/reliability.md.
 */
@NullMarked
package io.canopygrid.soak;

import org.jspecify.annotations.NullMarked;
