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
 * @param skew whether the clocks of machines are wrong
 * @param lateReports whether reports of load are late, or do not come
 * @param longReaders whether transactions may run for longer than they may hold versions back
 * @param work what clients do beside reads and writes
 */
record TreeRun(
    int sessions,
    int transactions,
    boolean nearest,
    boolean calm,
    boolean skew,
    boolean lateReports,
    boolean longReaders,
    Set<SimulatedWork> work) {}
