@NullMarked
package io.canopygrid.spring.boot;

import org.jspecify.annotations.NullMarked;
