/**
 * TLS between nodes: who has a certificate of the cluster is let in, and nobody else reaches the
 * code behind it. Internal: not for applications.
 */
@NullMarked
package io.canopygrid.gmu.infinispan.tls;

import org.jspecify.annotations.NullMarked;
