/**
 * The contract that every implementation of the public API owes its callers: one suite, run
 * unchanged on an embedded cluster and through the network.
 */
@NullMarked
package io.canopygrid.it.contract;

import org.jspecify.annotations.NullMarked;
