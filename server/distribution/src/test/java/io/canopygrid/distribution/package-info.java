/** The archive and the packages, as a user unpacks and installs them. */
@NullMarked
package io.canopygrid.distribution;

import org.jspecify.annotations.NullMarked;
