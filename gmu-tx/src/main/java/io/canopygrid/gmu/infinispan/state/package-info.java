/**
 * State transfer to learners at a pace that transactions can bear. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.infinispan.state;

import org.jspecify.annotations.NullMarked;
