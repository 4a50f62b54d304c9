package io.canopygrid.btree.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Durability;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.spi.DataPlace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFactsTest {
  private static final NodeId NODE = new NodeId(-3);

  @TempDir Path directory;

  @Test
  void travelAsTheyAre() {
    DataFacts memory = DataFacts.of(NODE, DataPlace.MEMORY);
    DataFacts disk = DataFacts.of(NODE, new DataPlace(directory, Durability.FSYNC));
    assertThat(memory).isEqualTo(new DataFacts(NODE, null, 0, 0));
    assertThat(disk.durability()).isEqualTo(Durability.FSYNC);
    assertThat(disk.freeBytes()).isPositive().isLessThanOrEqualTo(disk.totalBytes());
    assertThat(DataFacts.decode(memory.encode())).isEqualTo(memory);
    assertThat(DataFacts.decode(disk.encode())).isEqualTo(disk);
  }

  @Test
  void aDirectoryThatIsGoneIsStillAPlaceOnDisk() {
    DataPlace gone = new DataPlace(directory.resolve("gone"), Durability.ASYNC);
    assertThat(DataFacts.of(NODE, gone)).isEqualTo(new DataFacts(NODE, Durability.ASYNC, 0, 0));
  }

  @Test
  void anUnknownPlaceIsNoMessage() {
    byte[] bytes = DataFacts.of(NODE, DataPlace.MEMORY).encode();
    bytes[bytes.length - 3] = 9;
    assertThatThrownBy(() -> DataFacts.decode(bytes))
        .isInstanceOf(CanopyException.class)
        .hasMessageContaining("no place of data: 9");
  }
}
