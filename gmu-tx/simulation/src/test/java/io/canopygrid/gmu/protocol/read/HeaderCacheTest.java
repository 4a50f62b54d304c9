package io.canopygrid.gmu.protocol.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.clock.VectorClock;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.read.HeaderCache.Found;
import io.canopygrid.gmu.store.VersionChain;
import org.junit.jupiter.api.Test;

final class HeaderCacheTest {
  private static final TxId TID = new TxId(new NodeId(1), 1);

  private final HeaderCache cache = new HeaderCache();

  @Test
  void nothingIsFoundThatWasNotPut() {
    assertThat(cache.get(0)).isNull();

    cache.put(new Found(3, null));

    assertThat(cache.get(0)).isNull();
    assertThat(cache.get(4)).isNull();
  }

  @Test
  void whatWasPutLastAtAPlaceIsFoundAndNeverForAnotherKcl() {
    for (long kcl = -500; kcl < 500; kcl++) {
      VersionChain versions =
          kcl % 3 == 0 ? null : VersionChain.of(TID, TID, 1 + kcl * kcl, VectorClock.ZERO, null);
      cache.put(new Found(kcl, versions));

      assertThat(cache.get(kcl)).isEqualTo(new Found(kcl, versions));
      for (long other = kcl - 40; other < kcl; other++) {
        Found found = cache.get(other);
        assertThat(found == null || found.kcl() == other).as("kcl %s", other).isTrue();
      }
    }
  }
}
