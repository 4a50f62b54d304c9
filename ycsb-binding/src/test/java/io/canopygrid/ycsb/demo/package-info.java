@NullMarked
package io.canopygrid.ycsb.demo;

import org.jspecify.annotations.NullMarked;
