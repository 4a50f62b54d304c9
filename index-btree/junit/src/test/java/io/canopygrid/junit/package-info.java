@NullMarked
package io.canopygrid.junit;

import org.jspecify.annotations.NullMarked;
