/**
 * The distributed B+tree, STI-BT (Diegues and Romano, ICDCS 2014; TPDS 2016), over GMU
 * transactions: {@code subtree} is a range of keys in one place, {@code crown} leads to it, {@code
 * access} reads and commits through both, {@code balance} splits, {@code check} proves the whole
 * sound. Above them {@code catalog} has the indexes and named snapshots, {@code ledger} the
 * outcomes of named commits, {@code function} runs registered functions where their data is, {@code
 * structure} shows and changes how an index is cut, and {@code serve} is a node as a server sees
 * it. {@code embedded} is the public API on top. All other packages are internal: not for
 * applications. The words are explained in docs/internals/glossary.md.
 */
@NullMarked
package io.canopygrid.btree;

import org.jspecify.annotations.NullMarked;
