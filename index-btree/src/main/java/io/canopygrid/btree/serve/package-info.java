/**
 * Internal. A node as a server serves it: transactions and functions of clients, with their limits
 * and their counts.
 */
@NullMarked
package io.canopygrid.btree.serve;

import org.jspecify.annotations.NullMarked;
