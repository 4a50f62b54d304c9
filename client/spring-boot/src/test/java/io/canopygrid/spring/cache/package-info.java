@NullMarked
package io.canopygrid.spring.cache;

import org.jspecify.annotations.NullMarked;
