package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Transaction;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Closing a handle, and using what is of another one. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class ClosingContract extends Theme {
  ClosingContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void aClosedHandleRefusesEverything() {
    Canopy handle = grid.fresh();
    Index<String, String> own = handle.index(name, Codec.string(), Codec.string());
    Transaction open = handle.begin();
    open.on(own).put("closing", "1");
    handle.close();
    handle.close();
    refused(ErrorCode.CANOPY_CLOSED, open::commit);
    refused(ErrorCode.CANOPY_CLOSED, () -> handle.run(tx -> {}));
    refused(ErrorCode.CANOPY_CLOSED, () -> handle.call(tx -> 1));
    refused(ErrorCode.CANOPY_CLOSED, () -> handle.read(tx -> null));
    refused(ErrorCode.CANOPY_CLOSED, () -> handle.runAsync(tx -> {}));
    refused(ErrorCode.CANOPY_CLOSED, handle::begin);
    refused(ErrorCode.CANOPY_CLOSED, handle::indexes);
    refused(ErrorCode.CANOPY_CLOSED, handle::snapshots);
    refused(ErrorCode.CANOPY_CLOSED, () -> handle.snapshot("s"));
    refused(ErrorCode.CANOPY_CLOSED, () -> handle.dropSnapshot("s"));
    refused(
        ErrorCode.CANOPY_CLOSED,
        () -> handle.index(name, Codec.string(), Codec.string(), IndexOptions.DEFAULTS));
    assertThat(get("closing")).isNull();
  }

  @Test
  void countsAndTokensOutliveTheHandle() {
    Canopy handle = grid.fresh();
    Index<String, String> own = handle.index(name + "-own", Codec.string(), Codec.string());
    handle.run(tx -> tx.on(own).put("a", "1"));
    handle.close();
    assertThat(handle.stats().total().commits()).isEqualTo(1);
    assertThat(handle.token().clock().size()).isPositive();
  }

  @Test
  void closingEndsABodyUnderWay() {
    Canopy handle = grid.fresh();
    Index<String, String> own = handle.index(name + "-own", Codec.string(), Codec.string());
    assertThatThrownBy(() ->
            handle
                .runAsync(tx -> {
                  tx.on(own).put("a", "1");
                  handle.close();
                  tx.on(own).get("b");
                })
                .toCompletableFuture()
                .join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .satisfies(e ->
            refused(
                ErrorCode.CANOPY_CLOSED,
                () -> {
                  throw e;
                }));
  }

  @Test
  void anIndexOfAnotherHandleIsRefused() {
    try (Canopy handle = grid.fresh()) {
      Index<String, String> foreign = handle.index(name, Codec.string(), Codec.string());
      db.run(tx -> refused(ErrorCode.FOREIGN_INDEX, () -> tx.on(foreign)));
      db.read(tx -> {
        refused(ErrorCode.FOREIGN_INDEX, () -> tx.on(foreign));
        return null;
      });
    }
  }
}
