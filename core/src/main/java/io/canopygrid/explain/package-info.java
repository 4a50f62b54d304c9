/**
 * The steps of one transaction, recorded at the node that runs it where somebody has asked for
 * that. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.explain;

import org.jspecify.annotations.NullMarked;
