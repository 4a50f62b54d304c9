/**
 * Long jobs of clients, as servers hear of them to show and to end them. Internal: not for
 * applications.
 */
@NullMarked
package io.canopygrid.job;

import org.jspecify.annotations.NullMarked;
