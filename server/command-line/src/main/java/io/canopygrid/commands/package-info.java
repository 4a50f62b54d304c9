/**
 * The commands that test the guarantees without a cluster: {@code canopy simulate} runs the
 * protocol and the tree in virtual time, {@code canopy verify} checks histories.
 */
@NullMarked
package io.canopygrid.commands;

import org.jspecify.annotations.NullMarked;
