/**
 * The text of keys and values, and the codecs between it and bytes. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.codec;

import org.jspecify.annotations.NullMarked;
