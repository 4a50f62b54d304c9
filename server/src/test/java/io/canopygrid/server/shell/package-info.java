@NullMarked
package io.canopygrid.server.shell;

import org.jspecify.annotations.NullMarked;
