/**
 * Power cuts of processes: what their disks would have if the machine had lost its power.
 *
 * <p>A library of a few lines of C, {@code power.c}, stands between the processes and their disks
 * and notes what was forced ({@link PowerRecords}). A process that was killed leaves everything
 * that it has written, as the operating system lives on. {@link PowerCut} then takes back what a
 * machine without power could have lost.
 */
@NullMarked
package io.canopygrid.soak.power;

import org.jspecify.annotations.NullMarked;
