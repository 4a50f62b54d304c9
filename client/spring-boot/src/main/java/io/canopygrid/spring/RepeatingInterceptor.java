package io.canopygrid.spring;

import io.canopygrid.TransactionOptions;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Makes a call a body of the template. An invocation can proceed only once, since it goes through
 * the rest of its advice while it does: each attempt is a clone.
 */
final class RepeatingInterceptor implements MethodInterceptor {
  private final Supplier<CanopyTemplate> templates;

  /**
   * Creates one.
   *
   * @param templates asked at each call: what post-processes beans must not make them too early
   */
  RepeatingInterceptor(Supplier<CanopyTemplate> templates) {
    this.templates = templates;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Class<?> target = Objects.requireNonNull(invocation.getThis(), "the bean").getClass();
    CanopyTransactional annotation =
        Objects.requireNonNull(
            TransactionalMethods.find(invocation.getMethod(), target), "the annotation");
    CanopyTemplate template = templates.get();
    TransactionOptions options =
        TransactionalMethods.options(
            annotation, invocation.getMethod(), target, template.defaults());
    ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
    Optional<Object> result =
        annotation.readOnly()
            ? template.<Optional<Object>, Exception>read(options, tx -> attempt(call))
            : template.<Optional<Object>, Exception>call(options, tx -> attempt(call));
    return result.orElse(null);
  }

  private static Optional<Object> attempt(ProxyMethodInvocation call) throws Exception {
    try {
      return Optional.ofNullable(call.invocableClone().proceed());
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e);
    }
  }
}
