@NullMarked
package io.canopygrid.spring;

import org.jspecify.annotations.NullMarked;
