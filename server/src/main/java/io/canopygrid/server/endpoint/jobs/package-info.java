/** Long jobs of clients, and who may see and end them. */
@NullMarked
package io.canopygrid.server.endpoint.jobs;

import org.jspecify.annotations.NullMarked;
