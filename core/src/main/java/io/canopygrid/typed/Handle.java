package io.canopygrid.typed;

/** The identity of a handle, by which its own indexes are told from those of others. */
public final class Handle {}
