@NullMarked
package io.canopygrid.gmu.storage.engine;

import org.jspecify.annotations.NullMarked;
