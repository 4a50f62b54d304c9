package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.ErrorCode;
import io.canopygrid.TransactionOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The asynchronous twins. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class AsyncContract extends Theme {
  AsyncContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void completeWithTheResult() {
    TransactionOptions options = TransactionOptions.labelled("async");
    db.runAsync(tx -> tx.on(index).put("a", "1")).toCompletableFuture().join();
    db.runAsync(options, tx -> tx.on(index).put("b", "2")).toCompletableFuture().join();
    assertThat(db.<String>readAsync(tx -> tx.on(index).get("a")).toCompletableFuture().join())
        .isEqualTo("1");
    assertThat(
            db.<String>readAsync(options, tx -> tx.on(index).get("b")).toCompletableFuture().join())
        .isEqualTo("2");
    assertThat(db.<String>callAsync(tx -> tx.on(index).get("a")).toCompletableFuture().join())
        .isEqualTo("1");
    assertThat(
            db.<String>callAsync(options, tx -> tx.on(index).get("c")).toCompletableFuture().join())
        .isNull();
  }

  @Test
  void completeWithTheExceptionAsItIs() {
    IOException mine = new IOException("mine");
    assertThatThrownBy(() ->
            db.runAsync(
                    tx -> {
                      throw mine;
                    })
                .toCompletableFuture()
                .join())
        .isInstanceOf(CompletionException.class)
        .hasCause(mine);
    assertThatThrownBy(() -> db.runAsync(tx -> tx.on(index).get(null)).toCompletableFuture().join())
        .hasCauseInstanceOf(io.canopygrid.CanopyException.class);
  }

  @Test
  void manyAtOnceAllTakeEffect() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String key = "k" + i % 10;
      all.add(
          db.runAsync(
                  TransactionOptions.DEFAULTS.withMaxAttempts(1_000),
                  tx -> tx.on(index).merge(key, "x", String::concat))
              .toCompletableFuture());
    }
    all.forEach(CompletableFuture::join);
    assertThat(all()).hasSize(10).allMatch(e -> e.getValue().length() == 20);
  }

  @Test
  void nullsAreRefusedAtOnce() {
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.runAsync(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.callAsync(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.readAsync(null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.runAsync(null, tx -> {}));
  }
}
