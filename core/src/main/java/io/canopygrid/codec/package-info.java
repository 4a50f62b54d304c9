/**
 * Bytes that sort like the values they stand for: pure functions beneath {@link
 * io.canopygrid.Codec}, without state and without knowledge of the layers above. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.codec;

import org.jspecify.annotations.NullMarked;
