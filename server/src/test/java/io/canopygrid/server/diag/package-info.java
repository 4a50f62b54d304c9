/** Tests of bundles for support. */
@NullMarked
package io.canopygrid.server.diag;

import org.jspecify.annotations.NullMarked;
