/**
 * The local B+tree measured against the JDK's ordered concurrent map; {@code
 * index-btree/benchmark/run} runs it and prints the tables of {@code
 * docs/internals/performance.md}.
 */
@NullMarked
package io.canopygrid.btree.benchmark;

import org.jspecify.annotations.NullMarked;
