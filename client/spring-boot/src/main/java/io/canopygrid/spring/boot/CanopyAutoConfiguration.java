package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.TransactionOptions;
import io.canopygrid.spring.CanopyExceptionTranslator;
import io.canopygrid.spring.CanopyTemplate;
import io.canopygrid.spring.CanopyTransactionManager;
import io.canopygrid.spring.CanopyTransactionalPostProcessor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.io.ResourceLoader;
import org.springframework.transaction.TransactionManager;
import org.springframework.util.ClassUtils;

/**
 * One handle from the settings {@code canopy.*}, a template of it, and what {@code
 * CanopyTransactional} methods need. Beans of the application come before these.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
    },
    beforeName = {
      "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
      "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
    })
@EnableConfigurationProperties(CanopyProperties.class)
public class CanopyAutoConfiguration {
  private static final String NODE = "io.canopygrid.btree.embedded.EmbeddedCanopy";

  /** The handle, which is closed after all that works with it has ended. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Canopy canopy(CanopyProperties properties, ResourceLoader resources) {
    return switch (properties.mode()) {
      case REMOTE -> RemoteHandle.open(properties);
      case EMBEDDED -> {
        requireNode(resources.getClassLoader());
        yield EmbeddedNode.join(properties);
      }
      case STANDALONE -> {
        requireNode(resources.getClassLoader());
        yield EmbeddedNode.alone();
      }
    };
  }

  private static void requireNode(@Nullable ClassLoader classes) {
    if (!ClassUtils.isPresent(NODE, classes)) {
      throw new WrongSettingException(
          "canopy.mode",
          "a node in this application needs io.canopygrid:canopy-index-btree, which is not on the"
              + " class path");
    }
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(Canopy.class)
  CanopyTemplate canopyTemplate(Canopy canopy, CanopyProperties properties) {
    CanopyProperties.Attempts given = properties.transaction();
    TransactionOptions options =
        new Settings<>("canopy.transaction.", TransactionOptions.DEFAULTS)
            .with("timeout", given.timeout(), TransactionOptions::withTimeout)
            .with("max-attempts", given.maxAttempts(), TransactionOptions::withMaxAttempts)
            .with("isolation", given.isolation(), TransactionOptions::withIsolation)
            .with("read-from", given.readFrom(), TransactionOptions::withReadFrom)
            .made();
    return new CanopyTemplate(canopy, options);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static CanopyTransactionalPostProcessor canopyTransactionalPostProcessor(
      ObjectProvider<CanopyTemplate> templates) {
    return new CanopyTransactionalPostProcessor(templates::getObject);
  }

  /** Makes a {@link CanopyException} of a {@code Repository} one of Spring's. */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(CanopyTemplate.class)
  CanopyExceptionTranslator canopyExceptionTranslator(CanopyTemplate template) {
    return new CanopyExceptionTranslator(template);
  }

  @Bean
  @ConditionalOnProperty(name = "canopy.transaction-manager", havingValue = "true")
  @ConditionalOnMissingBean(TransactionManager.class)
  @ConditionalOnBean(CanopyTemplate.class)
  CanopyTransactionManager canopyTransactionManager(CanopyTemplate template) {
    return new CanopyTransactionManager(template);
  }
}
