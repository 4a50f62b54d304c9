package io.canopygrid.typed;

/** One handle, by which its own indexes are told from those of others. */
public final class Handle {}
