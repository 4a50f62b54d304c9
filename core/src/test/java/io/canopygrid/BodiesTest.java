package io.canopygrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bodies as callers write them: results and checked exceptions keep their types. */
final class BodiesTest {
  private final Recorded recorded = new Recorded();
  private final Canopy db = recorded.handle();

  /** A caller's own exception, checked. */
  static final class InsufficientFunds extends Exception {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void aCheckedExceptionKeepsItsTypeThroughLambdas() {
    assertThatExceptionOfType(InsufficientFunds.class).isThrownBy(this::transfer);
    assertThatExceptionOfType(InsufficientFunds.class).isThrownBy(this::balance);
    assertThatExceptionOfType(InsufficientFunds.class).isThrownBy(this::check);
  }

  /** Compiles only if the compiler infers InsufficientFunds, and nothing wider, for the body. */
  private void transfer() throws InsufficientFunds {
    db.run(tx -> {
      throw new InsufficientFunds();
    });
  }

  private long balance() throws InsufficientFunds {
    return db.call(tx -> {
      if (tx.id().isEmpty()) {
        return 1L;
      }
      throw new InsufficientFunds();
    });
  }

  private long check() throws InsufficientFunds {
    return db.read(tx -> {
      if (tx.id().isEmpty()) {
        return 1L;
      }
      throw new InsufficientFunds();
    });
  }

  @Test
  @SuppressWarnings("NullAway") // it does not follow a nullable type argument
  void bodiesThatThrowNothingNeedNoHandler() {
    db.run(tx -> assertThat(tx.id()).isEqualTo("t"));
    long one = db.call(tx -> 1L);
    String text = db.read(tx -> "a");
    @Nullable String none = db.<@Nullable String, RuntimeException>read(tx -> null);
    assertThat(one).isEqualTo(1);
    assertThat(text).isEqualTo("a");
    assertThat(none).isNull();
  }

  @Test
  void theShortFormsUseTheDefaults() {
    db.run(tx -> assertThat(tx).isNotNull());
    assertThat(recorded.lastOptions).isSameAs(TransactionOptions.DEFAULTS);
    TransactionOptions labelled = TransactionOptions.labelled("x");
    db.run(labelled, tx -> assertThat(tx).isNotNull());
    assertThat(recorded.lastOptions).isSameAs(labelled);
    db.begin().close();
    assertThat(recorded.lastOptions).isSameAs(TransactionOptions.DEFAULTS);
    db.index("i", Codec.int32(), Codec.string());
    assertThat(recorded.lastOptions).isSameAs(IndexOptions.DEFAULTS);
  }

  @Test
  void asyncFormsTakeBodiesOfAnyException() {
    CompletionStage<@Nullable Void> run =
        db.runAsync(tx -> {
          throw new InsufficientFunds();
        });
    assertThat(run.toCompletableFuture()).isCompletedExceptionally();
    assertThat(db.callAsync(tx -> 5).toCompletableFuture()).isCompletedWithValue(5);
    assertThat(db.readAsync(tx -> 6).toCompletableFuture()).isCompletedWithValue(6);
    assertThat(recorded.lastOptions).isSameAs(TransactionOptions.DEFAULTS);
  }

  /** A handle that runs bodies on an empty transaction and notes the options it is given. */
  private static final class Recorded {
    private @Nullable Object lastOptions;

    Canopy handle() {
      Transaction tx = proxy(Transaction.class, Map.of("id", "t"));
      return (Canopy)
          Proxy.newProxyInstance(
              Canopy.class.getClassLoader(),
              new Class<?>[] {Canopy.class},
              (self, method, args) -> {
                if (method.isDefault()) {
                  return java.lang.reflect.InvocationHandler.invokeDefault(self, method, args);
                }
                for (Object arg : args) {
                  lastOptions =
                      arg instanceof TransactionOptions || arg instanceof IndexOptions
                          ? arg
                          : lastOptions;
                }
                return method.getName().equals("begin") ? tx : run(method.getName(), tx, args);
              });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the proxy returns it
    private static @Nullable Object run(String method, Transaction tx, Object[] args)
        throws Exception {
      if (!method.endsWith("Async")) {
        return body(args[args.length - 1], tx);
      }
      try {
        return CompletableFuture.completedFuture(body(args[args.length - 1], tx));
      } catch (InsufficientFunds e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private static @Nullable Object body(Object body, Transaction tx) throws Exception {
      if (body instanceof TransactionBody<?> b) {
        b.run(tx);
        return null;
      }
      if (body instanceof TransactionCall<?, ?> b) {
        return b.call(tx);
      }
      return body instanceof ReadBody<?, ?> b ? b.read(tx) : null;
    }

    private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (self, method, args) -> answers.get(method.getName())));
    }
  }
}
