/** The beans that Spring Boot makes of the settings {@code canopy.*}. */
@NullMarked
package io.canopygrid.spring.boot;

import org.jspecify.annotations.NullMarked;
