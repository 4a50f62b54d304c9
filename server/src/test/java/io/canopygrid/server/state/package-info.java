@NullMarked
package io.canopygrid.server.state;

import org.jspecify.annotations.NullMarked;
