@NullMarked
package io.canopygrid.ycsb.cluster;

import org.jspecify.annotations.NullMarked;
