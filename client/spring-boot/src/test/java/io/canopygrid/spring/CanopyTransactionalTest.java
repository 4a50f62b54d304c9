package io.canopygrid.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.spring.boot.CanopyAutoConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.dao.PersistenceExceptionTranslationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Repository;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.UnexpectedRollbackException;

/** Methods that are transactions: run again, joined, and with Spring's errors at their edge. */
final class CanopyTransactionalTest {
  private static final AnnotationConfigApplicationContext CONTEXT = start();

  private final Canopy canopy = CONTEXT.getBean(Canopy.class);
  private final Counters counters = CONTEXT.getBean(Counters.class);
  private final Callers callers = CONTEXT.getBean(Callers.class);
  private final CanopyTemplate template = CONTEXT.getBean(CanopyTemplate.class);

  private static AnnotationConfigApplicationContext start() {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("canopy.mode", "standalone")));
    context.register(
        CanopyAutoConfiguration.class,
        PersistenceExceptionTranslationAutoConfiguration.class,
        Beans.class);
    context.refresh();
    return context;
  }

  @AfterAll
  static void close() {
    CONTEXT.close();
  }

  @Configuration(proxyBeanMethods = false)
  static class Beans {
    @Bean
    Index<Long, Long> counts(Canopy canopy) {
      return canopy.index("counts", Codec.int64(), Codec.int64());
    }

    @Bean
    Counters counters(CanopyTemplate template, Index<Long, Long> counts) {
      return new Counters(template, counts);
    }

    @Bean
    Whole whole(CanopyTemplate template) {
      return new Whole(template);
    }

    @Bean
    Callers callers(CanopyTemplate template, Index<Long, Long> counts, Counters counters) {
      return new Callers(template, counts, counters);
    }
  }

  /** With the advice that translates errors between it and its caller. */
  @Repository
  static class Counters {
    final List<String> attempts = new ArrayList<>();
    final CanopyTemplate template;
    final Index<Long, Long> counts;
    int rivals;

    Counters(CanopyTemplate template, Index<Long, Long> counts) {
      this.template = template;
      this.counts = counts;
    }

    /** Catches nothing; another transaction gets in its way the first few times. */
    @CanopyTransactional(label = "increment")
    public long increment(long key) {
      attempts.add(template.transaction().id());
      MutableView<Long, Long> view = template.transaction().on(counts);
      long next = Objects.requireNonNull(view.get(key)) + 1;
      if (attempts.size() <= rivals) {
        Rival.add(template.canopy(), counts, key, 100);
      }
      view.put(key, next);
      return next;
    }

    @CanopyTransactional(maxAttempts = 2)
    public long incrementTwiceAtMost(long key) {
      return increment(key);
    }

    @CanopyTransactional
    public void insert(long key) {
      template.transaction().on(counts).insert(key, 1L);
    }

    @CanopyTransactional
    public void putAndThrow(long key) throws IOException {
      template.transaction().on(counts).put(key, -1L);
      throw new IOException("of the body");
    }

    @CanopyTransactional(readOnly = true)
    public long get(long key) {
      return Objects.requireNonNull(template.readTransaction().on(counts).get(key));
    }

    @CanopyTransactional(readOnly = true)
    public void putReadOnly(long key) {
      template.transaction().on(counts).put(key, 1L);
    }
  }

  /** Calls the other bean in a transaction of its own. */
  static class Callers {
    private final CanopyTemplate template;
    private final Index<Long, Long> counts;
    private final Counters counters;

    Callers(CanopyTemplate template, Index<Long, Long> counts, Counters counters) {
      this.template = template;
      this.counts = counts;
      this.counters = counters;
    }

    @CanopyTransactional
    public long incrementTwice(long key) {
      counters.increment(key);
      return counters.increment(key);
    }

    @CanopyTransactional
    public void swallow(long key) {
      try {
        counters.putAndThrow(key);
      } catch (IOException e) {
        template.transaction().on(counts).put(key, -2L);
      }
    }

    @CanopyTransactional
    public long readOwnWrite(long key) {
      template.transaction().on(counts).put(key, 77L);
      return counters.get(key);
    }
  }

  @BeforeEach
  void set() {
    counters().attempts.clear();
    counters().rivals = 0;
    canopy.run(tx -> tx.on(counters().counts).put(1L, 0L));
  }

  /** The bean behind the proxy, whose fields are the real ones. */
  private Counters counters() {
    return (Counters) Objects.requireNonNull(AopTestUtils.getUltimateTargetObject(counters));
  }

  @Test
  void aMethodThatCatchesNothingIsRunAgainAfterAConflict() {
    counters().rivals = 2;

    assertThat(counters.increment(1)).isEqualTo(201);
    assertThat(counters().attempts).hasSize(3).doesNotHaveDuplicates();
    assertThat(counters.get(1)).isEqualTo(201);
    assertThat(Objects.requireNonNull(canopy.stats().byLabel().get("increment")).commits())
        .isPositive();
  }

  @Test
  void theAdviceNearerToTheMethodIsRunAgainWithIt() {
    counters().rivals = 2;
    List<String> methods = new ArrayList<>();
    ProxyFactory proxy = new ProxyFactory(counters());
    proxy.setProxyTargetClass(true);
    proxy.addAdvice(new RepeatingInterceptor(() -> template));
    proxy.addAdvice(
        (MethodInterceptor)
            call -> {
              methods.add(call.getMethod().getName());
              return call.proceed();
            });

    ((Counters) proxy.getProxy()).increment(1);
    assertThat(methods).hasSize(3).containsOnly("increment");
  }

  @Test
  void aMethodThatConflictsTooOftenEndsInAConcurrencyFailure() {
    counters().rivals = 9;

    assertThatThrownBy(() -> counters.incrementTwiceAtMost(1))
        .isInstanceOf(ConcurrencyFailureException.class)
        .hasMessageStartingWith("CNPY-2004 RETRIES_EXHAUSTED")
        .hasCauseInstanceOf(CanopyException.class);
    assertThat(counters().attempts).hasSize(2);
  }

  @Test
  void aNestedCallJoinsAndIsRunAgainWithTheOuterOne() {
    counters().rivals = 1;

    assertThat(callers.incrementTwice(1)).isEqualTo(102);
    assertThat(counters().attempts).hasSize(4);
    assertThat(counters().attempts.get(2)).isEqualTo(counters().attempts.get(3));
  }

  @Test
  void anErrorOfTheBodyRollsBackAndIsThrownAsItIs() {
    assertThatThrownBy(() -> counters.putAndThrow(1))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("of the body");
    assertThat(counters.get(1)).isZero();
  }

  @Test
  void aNestedErrorThatIsCaughtStillRollsBackAll() {
    assertThatThrownBy(() -> callers.swallow(1)).isInstanceOf(UnexpectedRollbackException.class);
    assertThat(counters.get(1)).isZero();
  }

  @Test
  void aReadInATransactionSeesItsWrites() {
    assertThat(callers.readOwnWrite(1)).isEqualTo(77);
  }

  @Test
  void aKeyThatIsThereIsADuplicate() {
    assertThatThrownBy(() -> counters.insert(1))
        .isInstanceOf(DuplicateKeyException.class)
        .hasMessageStartingWith("CNPY-3001 KEY_EXISTS");
  }

  @Test
  void aMethodThatOnlyReadsCannotWrite() {
    assertThatThrownBy(() -> counters.putReadOnly(1))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("only reads");
    assertThatThrownBy(() -> template.read(tx -> counters.increment(1)))
        .isInstanceOf(IllegalTransactionStateException.class);
  }

  @Test
  void withoutATransactionTheAccessorSaysWhatToDo() {
    assertThatThrownBy(template::transaction)
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("@CanopyTransactional");
    assertThat(template.isActive()).isFalse();
  }

  @Test
  void aRepositoryOutsideOfABodyHasItsErrorsTranslated() {
    CanopyExceptionTranslator translator = CONTEXT.getBean(CanopyExceptionTranslator.class);
    CanopyException exists = new CanopyException(ErrorCode.KEY_EXISTS, "key 1");

    assertThat(translator.translateExceptionIfPossible(exists))
        .isInstanceOf(DuplicateKeyException.class);
    template.run(tx -> assertThat(translator.translateExceptionIfPossible(exists)).isNull());
    assertThat(translator.translateExceptionIfPossible(new IllegalStateException())).isNull();
  }

  /** A class of which each public method is a transaction. */
  @CanopyTransactional(readOnly = true)
  static class Whole {
    private final CanopyTemplate template;

    Whole(CanopyTemplate template) {
      this.template = template;
    }

    public boolean isActive() {
      return template.isActive();
    }
  }

  @Test
  void thePublicMethodsOfAnAnnotatedClassAreTransactions() {
    Whole whole = CONTEXT.getBean(Whole.class);
    Whole target = AopTestUtils.getUltimateTargetObject(whole);

    assertThat(whole.isActive()).isTrue();
    assertThat(target.isActive()).isFalse();
  }

  /** Its result comes after its transaction. */
  static class Late {
    @CanopyTransactional
    public CompletableFuture<Long> later() {
      return CompletableFuture.completedFuture(1L);
    }
  }

  /** Asks for more attempts than there can be. */
  static class TooMany {
    @CanopyTransactional(maxAttempts = 10_001)
    public void much() {}
  }

  @Test
  void whatCannotBeATransactionFailsAtTheStart() {
    ApplicationContextRunner runner =
        new ApplicationContextRunner()
            .withPropertyValues("canopy.mode=standalone")
            .withConfiguration(AutoConfigurations.of(CanopyAutoConfiguration.class));
    runner
        .withBean(Late.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("returns before its work is done"));
    runner
        .withBean(TooMany.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("maxAttempts must be from 1 to 10000"));
  }
}
