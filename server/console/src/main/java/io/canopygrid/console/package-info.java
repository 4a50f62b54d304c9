/**
 * The console: the files of a web page that a server gives to browsers. All of what the page shows
 * comes from the server's HTTP API, by the rights of the user who has logged in; the files
 * themselves say nothing of a cluster. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.console;

import org.jspecify.annotations.NullMarked;
