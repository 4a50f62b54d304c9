@NullMarked
package io.canopygrid.server.cli;

import org.jspecify.annotations.NullMarked;
