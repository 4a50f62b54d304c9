/** New projects: applications that use Canopy, to begin with. */
@NullMarked
package io.canopygrid.server.project;

import org.jspecify.annotations.NullMarked;
