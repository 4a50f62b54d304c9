/** Questions between two JVMs over JGroups, on its own stack and on Canopy's. */
@NullMarked
package io.canopygrid.roundtrip.jgroups;

import org.jspecify.annotations.NullMarked;
