package io.canopygrid.spring;

import io.canopygrid.Isolation;
import io.canopygrid.TransactionOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method, or each public method of a class, as a transaction of Canopy, which the method
 * gets from {@link CanopyTemplate#transaction}: as a body of {@link CanopyTemplate#call}, with the
 * same joins and errors. After a conflict the method is run again from its beginning, with all
 * advice that is nearer to it, {@code @Transactional} of another transaction manager included: it
 * must be safe to repeat.
 *
 * <p>As with all advice of Spring, only calls through the bean count, not those of {@code this}. A
 * method whose result comes later (a future or a publisher) is refused at the start of the
 * application, since its work would outlive the transaction.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface CanopyTransactional {
  /** {@link TransactionOptions#label}; empty: {@code Class.method}, cut off where it is longer. */
  String label() default "";

  /** {@link TransactionOptions#isolation}. */
  Isolation isolation() default Isolation.UPDATE_SERIALIZABLE;

  /** {@link TransactionOptions#maxAttempts}; 0: that of the template. */
  int maxAttempts() default 0;

  /** {@link TransactionOptions#timeout} in milliseconds; 0: that of the template. */
  long timeoutMillis() default 0;

  /** Whether it is a {@link CanopyTemplate#read}, which never conflicts, and may not write. */
  boolean readOnly() default false;
}
