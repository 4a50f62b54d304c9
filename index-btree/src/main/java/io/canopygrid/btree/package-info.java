/**
 * The distributed B+tree, STI-BT (Diegues and Romano, ICDCS 2014; TPDS 2016), over GMU
 * transactions: {@code subtree} is a range of keys in one place, {@code crown} leads to it, {@code
 * access} reads and commits through both, {@code balance} splits, {@code check} proves the whole
 * sound, {@code embedded} is the public API on top.
 */
@NullMarked
package io.canopygrid.btree;

import org.jspecify.annotations.NullMarked;
