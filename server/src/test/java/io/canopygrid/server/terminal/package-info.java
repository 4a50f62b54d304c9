@NullMarked
package io.canopygrid.server.terminal;

import org.jspecify.annotations.NullMarked;
