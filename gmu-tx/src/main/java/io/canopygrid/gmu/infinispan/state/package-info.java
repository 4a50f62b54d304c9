/** State transfer to joiners at a pace that transactions can bear. */
@NullMarked
package io.canopygrid.gmu.infinispan.state;

import org.jspecify.annotations.NullMarked;
