/** The same trees and workloads in virtual time, on grids larger than this machine. */
@NullMarked
package io.canopygrid.study.scale;

import org.jspecify.annotations.NullMarked;
