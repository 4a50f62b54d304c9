/**
 * The protocol between clients and servers: its messages as records and their bytes, without any
 * I/O. {@code docs/reference/wire-protocol.md} describes it for clients in other languages.
 * Internal: not for applications.
 */
@NullMarked
package io.canopygrid.wire.client;

import org.jspecify.annotations.NullMarked;
