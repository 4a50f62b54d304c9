/** Tests of how configuration files are read. */
@NullMarked
package io.canopygrid.config;

import org.jspecify.annotations.NullMarked;
