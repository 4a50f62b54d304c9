package io.canopygrid.spi;

/** One handle, by which its own indexes are told from those of others. */
final class Handle {}
