/**
 * Canopy's public API: transactional, ordered indexes spread over a cluster, used embedded or over
 * the network through the same {@link io.canopygrid.Canopy} interface.
 *
 * <p>The guarantee is <em>extended update serializability</em> (Peluso et al., ICDCS 2012): the
 * transactions that commit writes are serializable, and every transaction, also one that fails,
 * reads one consistent snapshot of them. Read-only transactions never abort and send nothing at
 * commit; two of them may see independent commits in different orders, unless they are of one
 * handle, which carries its {@link io.canopygrid.CausalToken} from each to the next.
 *
 * <p>Everything that goes wrong is a {@link io.canopygrid.CanopyException} with an {@link
 * io.canopygrid.ErrorCode}; exceptions thrown by the caller's own transaction bodies pass through
 * as they are.
 */
@NullMarked
package io.canopygrid;

import org.jspecify.annotations.NullMarked;
