/**
 * The HTTP API below {@code /api/v1}: its routes, what each does, and the JSON of requests, answers
 * and errors. It knows no sockets. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.server.endpoint.http;

import org.jspecify.annotations.NullMarked;
