/** Tests of long jobs. */
@NullMarked
package io.canopygrid.server.endpoint.jobs;

import org.jspecify.annotations.NullMarked;
