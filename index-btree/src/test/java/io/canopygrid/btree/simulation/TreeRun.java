package io.canopygrid.btree.simulation;

/**
 * How long a run is.
 *
 * @param sessions how many clients
 * @param transactions how many each of them runs
 * @param calm whether membership never changes
 */
record TreeRun(int sessions, int transactions, boolean calm) {}
