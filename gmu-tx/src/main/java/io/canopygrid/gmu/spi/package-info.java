/**
 * The seam between a node of the grid and its host: all that a new host or a new store has to
 * implement. The contract stands at each interface: who calls and on which thread, in which order,
 * what is durable, and what an error means. Internal: not for applications.
 *
 * <table>
 *   <caption>The seams</caption>
 *   <tr><th>interface</th><th>supplies</th><th>called by</th></tr>
 *   <tr><td>{@link io.canopygrid.gmu.spi.Transport}</td><td>messages between members</td>
 *     <td>any thread, after a protocol step</td></tr>
 *   <tr><td>{@link io.canopygrid.gmu.spi.NodeCalls}</td><td>questions of the layer above</td>
 *     <td>any thread</td></tr>
 *   <tr><td>{@link io.canopygrid.gmu.spi.NodeHost}</td><td>membership: hears what a node needs of
 *     it</td><td>any thread, after a protocol step</td></tr>
 *   <tr><td>{@link io.canopygrid.gmu.spi.OrderedStore}</td><td>a shard's entries in order</td>
 *     <td>one thread at a time writes, within a protocol step</td></tr>
 *   <tr><td>{@link io.canopygrid.gmu.spi.Fences}</td><td>which keys a kcl covers</td>
 *     <td>any thread, within a read or a protocol step</td></tr>
 *   <tr><td>{@link io.canopygrid.gmu.spi.Traffic}</td><td>a listener to reads and writes</td>
 *     <td>any thread, within a read or a protocol step</td></tr>
 *   <tr><td>{@link io.canopygrid.gmu.spi.NodeThreads}</td><td>time, chance and workers</td>
 *     <td>any thread of the layers above</td></tr>
 * </table>
 */
@NullMarked
package io.canopygrid.gmu.spi;

import org.jspecify.annotations.NullMarked;
