/**
 * A node as a server serves it: transactions and functions of clients, with their limits and their
 * counts. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.serve;

import org.jspecify.annotations.NullMarked;
