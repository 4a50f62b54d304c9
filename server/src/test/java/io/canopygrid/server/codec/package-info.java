@NullMarked
package io.canopygrid.server.codec;

import org.jspecify.annotations.NullMarked;
