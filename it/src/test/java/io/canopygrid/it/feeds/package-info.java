/** Followers of changes while servers are killed and data is moved. */
@NullMarked
package io.canopygrid.it.feeds;

import org.jspecify.annotations.NullMarked;
