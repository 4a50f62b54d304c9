/**
 * What can be set, and how it is read: {@link io.canopygrid.config.SettingSchema} lists settings,
 * {@link io.canopygrid.config.Configuration} puts a file, the environment and options together, and
 * {@link io.canopygrid.config.ClusterSettings} are those that every node has. For applications:
 * {@link io.canopygrid.config.ClusterConfigFile}; all else is internal.
 */
@NullMarked
package io.canopygrid.config;

import org.jspecify.annotations.NullMarked;
