/** Tests of loading. */
@NullMarked
package io.canopygrid.server.load;

import org.jspecify.annotations.NullMarked;
