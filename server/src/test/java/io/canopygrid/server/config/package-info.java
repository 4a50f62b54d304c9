/** The configuration, right and wrong. */
@NullMarked
package io.canopygrid.server.config;

import org.jspecify.annotations.NullMarked;
