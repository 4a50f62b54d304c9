/**
 * Canopy in the words of Spring: transactions by template and annotation, a transaction manager,
 * and errors as {@link org.springframework.dao.DataAccessException}s.
 */
@NullMarked
package io.canopygrid.spring;

import org.jspecify.annotations.NullMarked;
