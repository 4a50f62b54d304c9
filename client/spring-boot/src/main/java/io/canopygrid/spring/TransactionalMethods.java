package io.canopygrid.spring;

import io.canopygrid.CanopyException;
import io.canopygrid.Isolation;
import io.canopygrid.Limits;
import io.canopygrid.TransactionOptions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** The methods that are {@link CanopyTransactional}, by themselves or by their class. */
final class TransactionalMethods extends StaticMethodMatcherPointcut {
  private static final String PUBLISHER = "org.reactivestreams.Publisher";

  @SuppressWarnings("this-escape") // Spring's, which only keeps it
  TransactionalMethods() {
    setClassFilter(type -> AnnotationUtils.isCandidateClass(type, CanopyTransactional.class));
  }

  /** Spring asks at the start of the application, so that a wrong annotation fails then. */
  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    CanopyTransactional annotation = find(method, targetClass);
    if (annotation == null) {
      return false;
    }
    if (endsLater(method.getReturnType())) {
      throw new IllegalStateException(
          method
              + " is @CanopyTransactional and returns before its work is done: its transaction"
              + " would have ended by then. Use Canopy.callAsync, or wait for the result");
    }
    try {
      options(annotation, method, targetClass, TransactionOptions.DEFAULTS);
    } catch (CanopyException e) {
      throw new IllegalStateException("@CanopyTransactional of " + method + ": " + e.detail(), e);
    }
    return true;
  }

  static @Nullable CanopyTransactional find(Method method, Class<?> targetClass) {
    if (ClassUtils.isUserLevelMethod(method) && method.getDeclaringClass() != Object.class) {
      Method own = AopUtils.getMostSpecificMethod(method, targetClass);
      CanopyTransactional ofMethod =
          AnnotatedElementUtils.findMergedAnnotation(own, CanopyTransactional.class);
      if (ofMethod != null || !Modifier.isPublic(own.getModifiers())) {
        return ofMethod;
      }
      return AnnotatedElementUtils.findMergedAnnotation(targetClass, CanopyTransactional.class);
    }
    return null;
  }

  private static boolean endsLater(Class<?> result) {
    return Future.class.isAssignableFrom(result)
        || CompletionStage.class.isAssignableFrom(result)
        || ClassUtils.getAllInterfacesForClassAsSet(result).stream()
            .anyMatch(type -> type.getName().equals(PUBLISHER));
  }

  static TransactionOptions options(
      CanopyTransactional annotation,
      Method method,
      Class<?> targetClass,
      TransactionOptions defaults) {
    TransactionOptions options =
        defaults.withLabel(
            annotation.label().isEmpty()
                ? cutOff(ClassUtils.getUserClass(targetClass).getSimpleName(), method)
                : annotation.label());
    if (annotation.isolation() != Isolation.UPDATE_SERIALIZABLE) {
      options = options.withIsolation(annotation.isolation());
    }
    if (annotation.maxAttempts() != 0) {
      options = options.withMaxAttempts(annotation.maxAttempts());
    }
    if (annotation.timeoutMillis() != 0) {
      options = options.withTimeout(Duration.ofMillis(annotation.timeoutMillis()));
    }
    return options;
  }

  private static String cutOff(String type, Method method) {
    String label = type + "." + method.getName();
    return label.substring(0, Math.min(label.length(), Limits.LABEL_MAX));
  }
}
