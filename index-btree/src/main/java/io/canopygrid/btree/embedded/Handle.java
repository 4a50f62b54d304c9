package io.canopygrid.btree.embedded;

/** One handle, by which its own indexes are told from those of others. */
final class Handle {}
