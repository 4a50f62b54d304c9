/**
 * One index in one transaction. Its staged writes lie over the snapshot, scans merge the two, and
 * marks remember what the commit has to validate. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.btree.access.scan;

import org.jspecify.annotations.NullMarked;
