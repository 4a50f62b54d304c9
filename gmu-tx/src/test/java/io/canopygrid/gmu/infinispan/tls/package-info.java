@NullMarked
package io.canopygrid.gmu.infinispan.tls;

import org.jspecify.annotations.NullMarked;
