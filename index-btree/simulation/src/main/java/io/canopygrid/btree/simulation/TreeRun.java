package io.canopygrid.btree.simulation;

import io.canopygrid.gmu.simulation.SimulatedWork;
import java.util.Set;

/**
 * The length of a run, and the kinds of things that it has.
 *
 * @param sessions how many clients
 * @param transactions how many each of them runs
 * @param nearest whether some transactions read at backups
 * @param calm whether membership never changes
 * @param work what clients do beside reads and writes
 */
record TreeRun(
    int sessions, int transactions, boolean nearest, boolean calm, Set<SimulatedWork> work) {}
