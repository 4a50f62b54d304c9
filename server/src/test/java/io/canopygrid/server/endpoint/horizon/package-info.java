@NullMarked
package io.canopygrid.server.endpoint.horizon;

import org.jspecify.annotations.NullMarked;
