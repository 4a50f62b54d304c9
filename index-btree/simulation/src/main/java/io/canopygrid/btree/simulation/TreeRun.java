package io.canopygrid.btree.simulation;

/**
 * The length of a run, and the kinds of things that it has.
 *
 * @param sessions how many clients
 * @param transactions how many each of them runs
 * @param nearest whether some transactions read at backups
 * @param calm whether membership never changes
 */
record TreeRun(int sessions, int transactions, boolean nearest, boolean calm) {}
