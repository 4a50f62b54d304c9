/**
 * Transactions over a sharded, replicated, multi-version store: GMU with a clock per shard. The
 * protocol is explained in docs/protocol.md, its words in docs/internals/glossary.md. Internal: not
 * for applications.
 */
@NullMarked
package io.canopygrid.gmu;

import org.jspecify.annotations.NullMarked;
