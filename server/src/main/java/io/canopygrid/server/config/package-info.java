/**
 * The configuration of a server: {@link io.canopygrid.server.config.Settings} lists what can be
 * set, {@link io.canopygrid.server.config.Configuration} puts a file, the environment and flags
 * together, and {@link io.canopygrid.server.config.ServerConfig} is the result.
 */
@NullMarked
package io.canopygrid.server.config;

import org.jspecify.annotations.NullMarked;
