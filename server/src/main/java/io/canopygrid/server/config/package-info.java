/**
 * The configuration of a server: {@link io.canopygrid.server.config.ServerSettings} lists what can
 * be set besides the settings of every node, and {@link io.canopygrid.server.config.ServerConfig}
 * is the result. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.config;

import org.jspecify.annotations.NullMarked;
