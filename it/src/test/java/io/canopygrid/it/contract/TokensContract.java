package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CausalToken;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Causal tokens: reading one's own writes through any node. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class TokensContract extends Theme {
  TokensContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void carryWhatWasSeen() {
    CausalToken before = db.token();
    write(v -> v.put("a", "1"));
    CausalToken after = db.token();
    assertThat(after).isNotEqualTo(before);
    assertThat(before.join(after)).isEqualTo(after);
    assertThat(CausalToken.NONE.join(after)).isEqualTo(after);
    assertThat(CausalToken.parse(after.toString())).isEqualTo(after);
    assertThat(CausalToken.fromBytes(after.toBytes())).isEqualTo(after);
  }

  @Test
  void letAnotherHandleSeeTheSame() {
    Index<String, String> there = texts(other);
    for (int i = 0; i < 50; i++) {
      String value = "" + i;
      write(v -> v.put("a", value));
      assertThat(getThere("a")).isEqualTo(value);
      other.run(
          TransactionOptions.DEFAULTS.withAfter(db.token()),
          tx -> tx.on(there).compute("a", (k, v) -> v + "!"));
      String back =
          db.<String, RuntimeException>read(
              TransactionOptions.DEFAULTS.withAfter(other.token()), tx -> tx.on(index).get("a"));
      assertThat(back).isEqualTo(value + "!");
    }
  }

  @Test
  void aHandleReadsItsOwnWrites() {
    for (int i = 0; i < 50; i++) {
      String key = "k" + i % 7;
      String value = "" + i;
      write(v -> v.put(key, value));
      assertThat(get(key)).isEqualTo(value);
    }
  }

  @Test
  void allHandlesAreOfOneGrid() {
    assertThat(db.grid()).isEqualTo(other.grid());
    assertThat(db.grid().founded()).isBefore(Instant.now().plusSeconds(1));
  }

  @Test
  void whatIsNoneIsRefused() {
    refused(ErrorCode.INVALID_TOKEN, () -> CausalToken.parse("nonsense"));
    refused(ErrorCode.INVALID_TOKEN, () -> CausalToken.fromBytes(new byte[] {1, 2, 3}));
  }
}
