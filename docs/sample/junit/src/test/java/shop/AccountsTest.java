package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.junit.CanopyTest;
import org.junit.jupiter.api.Test;

@CanopyTest
final class AccountsTest {
  @Test
  void aTransferMovesMoney(Canopy canopy) {
    Index<Long, Long> accounts = canopy.index("accounts", Codec.int64(), Codec.int64());
    canopy.run(tx -> tx.on(accounts).put(1L, 100L));
    canopy.run(tx -> tx.on(accounts).put(2L, 100L));

    canopy.run(tx -> {
      tx.on(accounts).compute(1L, (id, cents) -> cents - 30);
      tx.on(accounts).compute(2L, (id, cents) -> cents + 30);
    });

    Long first = canopy.read(tx -> tx.on(accounts).get(1L));
    Long second = canopy.read(tx -> tx.on(accounts).get(2L));
    assertEquals(70, first);
    assertEquals(130, second);
  }
}
