/**
 * The configuration and its reader: {@link io.canopygrid.config.SettingSchema} lists settings,
 * {@link io.canopygrid.config.Configuration} puts a file, the environment and options together, and
 * {@link io.canopygrid.config.ClusterSettings} are the settings that every node has. For
 * applications: {@link io.canopygrid.config.ClusterConfigFile}; all else is internal.
 */
@NullMarked
package io.canopygrid.config;

import org.jspecify.annotations.NullMarked;
