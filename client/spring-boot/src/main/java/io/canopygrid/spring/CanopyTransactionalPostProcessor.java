package io.canopygrid.spring;

import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Advises the beans that have {@link CanopyTransactional} methods. The advice comes before what the
 * bean has already, so that an attempt includes a transaction of another manager; the advice that
 * leads to another thread comes before it.
 */
public final class CanopyTransactionalPostProcessor
    extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  /**
   * Creates one.
   *
   * @param templates gives the template at each call
   */
  @SuppressWarnings("this-escape") // the setters are Spring's, and this class is final
  public CanopyTransactionalPostProcessor(Supplier<CanopyTemplate> templates) {
    setProxyTargetClass(true);
    setBeforeExistingAdvisors(true);
    setOrder(Ordered.LOWEST_PRECEDENCE - 1);
    advisor =
        new DefaultPointcutAdvisor(new TransactionalMethods(), new RepeatingInterceptor(templates));
  }
}
