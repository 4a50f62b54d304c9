/** Tests of exports. */
@NullMarked
package io.canopygrid.server.export;

import org.jspecify.annotations.NullMarked;
