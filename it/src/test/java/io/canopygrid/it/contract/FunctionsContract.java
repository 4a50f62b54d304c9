package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionCall;
import io.canopygrid.Functions;
import io.canopygrid.Index;
import io.canopygrid.Isolation;
import io.canopygrid.Limits;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The registered functions that every node has. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class FunctionsContract extends Theme {
  private final Index<String, Long> numbers =
      db.index(name + "-numbers", Codec.string(), Codec.int64());

  FunctionsContract(ContractGrid grid) {
    super(grid);
  }

  private long number(String key) {
    return db.<Long, RuntimeException>read(tx -> tx.on(numbers).get(key));
  }

  @Test
  void addIsAReadAndAWrite() {
    assertThat(db.execute(Functions.add(numbers, "a", 5), Codec.int64())).isEqualTo(5);
    assertThat(db.execute(Functions.add(numbers, "a", -7), Codec.int64())).isEqualTo(-2);
    assertThat(number("a")).isEqualTo(-2);
    byte[] serializable =
        db.execute(
            TransactionOptions.DEFAULTS.withIsolation(Isolation.SERIALIZABLE),
            Functions.add(numbers, "a", 1));
    assertThat(Codec.int64().decode(serializable)).isEqualTo(-1);
  }

  @Test
  void appendMakesTextsLonger() {
    db.execute(Functions.append(index, "a", "one"));
    assertThat(db.execute(Functions.append(index, "a", "two"), Codec.int64())).isEqualTo(6);
    assertThat(get("a")).isEqualTo("onetwo");
  }

  @Test
  void compareAndSetSetsWhatIsExpected() {
    assertThat(set("old", "new")).isFalse();
    assertThat(set(null, "1")).isTrue();
    assertThat(set(null, "2")).isFalse();
    assertThat(set("1", "2")).isTrue();
    assertThat(get("a")).isEqualTo("2");
    assertThat(set("2", null)).isTrue();
    assertThat(get("a")).isNull();
  }

  private boolean set(String expected, String next) {
    return db.execute(Functions.compareAndSet(index, "a", expected, next), Codec.bool());
  }

  @Test
  void manyAtOnceAreAllCounted() {
    Index<String, Long> there = other.index(numbers.name(), Codec.string(), Codec.int64());
    List<CompletableFuture<byte[]>> all = new ArrayList<>();
    TransactionOptions patient =
        TransactionOptions.DEFAULTS
            .withMaxAttempts(1_000)
            .withTimeout(Duration.ofMinutes(Limits.FUNCTION_MINUTES_MAX));
    for (int i = 0; i < 50; i++) {
      String key = "k" + i % 5;
      all.add(db.executeAsync(patient, Functions.add(numbers, key, 1)).toCompletableFuture());
      all.add(other.executeAsync(Functions.add(there, key, 1)).toCompletableFuture());
    }
    all.forEach(CompletableFuture::join);
    for (int i = 0; i < 5; i++) {
      String key = "k" + i;
      long seen =
          db.<Long, RuntimeException>read(
              TransactionOptions.DEFAULTS.withAfter(other.token()), tx -> tx.on(numbers).get(key));
      assertThat(seen).isEqualTo(20);
    }
  }

  @Test
  void itsCallerSeesWhatItDidThroughAnyNode() {
    db.execute(Functions.append(index, "a", "seen"));
    assertThat(getThere("a")).isEqualTo("seen");
  }

  @Test
  void costsAtMostOneRequest() {
    for (int i = 0; i < 20; i++) { // so that all nodes and clients know where the keys are
      db.execute(Functions.add(numbers, "k" + i, 1));
    }
    TransactionOptions labelled = TransactionOptions.labelled(name);
    for (int i = 0; i < 20; i++) {
      db.execute(labelled, Functions.add(numbers, "k" + i, 1));
    }
    assertThat(db.stats().byLabel().get(name).commits()).isEqualTo(20);
    assertThat(db.stats().byLabel().get(name).attempts()).isEqualTo(20);
    assertThat(db.stats().byLabel().get(name).remoteRequests()).isLessThanOrEqualTo(20);
  }

  @Test
  void aRangeIsAPlaceToo() {
    write(v -> v.put("m", "old"));
    FunctionCall atKey = Functions.append(index, "m", "!");
    FunctionCall atRange =
        FunctionCall.of(atKey.function(), atKey.arguments()).at(index, Range.atLeast("m"));
    db.execute(atRange);
    assertThat(get("m")).isEqualTo("old!");
  }

  @Test
  void refusals() {
    refused(ErrorCode.UNKNOWN_FUNCTION, () -> db.execute("no-such-function", new byte[0]));
    refused(
        ErrorCode.UNKNOWN_FUNCTION,
        () -> db.execute(FunctionCall.of("no-such-function", new byte[0]).at(index, "a")));
    FunctionCall add = Functions.add(numbers, "a", 1);
    FunctionCall wrong = FunctionCall.of(add.function(), add.arguments());
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.execute(wrong));
    refused(ErrorCode.CODEC_MISMATCH, () -> db.execute(wrong.at(index, "a")));
    refused(
        ErrorCode.CODEC_FAILURE,
        () -> db.execute(FunctionCall.of(add.function(), new byte[3]).at(numbers, "a")));
    refused(ErrorCode.FOREIGN_INDEX, () -> other.execute(add));
    refused(ErrorCode.NESTED_TRANSACTION, () -> db.run(tx -> db.execute(add)));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.execute((FunctionCall) null));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> FunctionCall.of("f", new byte[Limits.ARGUMENT_BYTES_MAX + 1]));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> db.execute(TransactionOptions.DEFAULTS.withTimeout(Duration.ofMinutes(6)), add));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.register("canopy.mine", (tx, bytes) -> bytes));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.register("mine", null));
    assertThat(db.<Long, RuntimeException>read(tx -> tx.on(numbers).get("a"))).isNull();
  }
}
