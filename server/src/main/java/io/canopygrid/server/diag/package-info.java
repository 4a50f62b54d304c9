/** {@code canopy diag}: a bundle of facts for support. Internal: not for applications. */
@NullMarked
package io.canopygrid.server.diag;

import org.jspecify.annotations.NullMarked;
