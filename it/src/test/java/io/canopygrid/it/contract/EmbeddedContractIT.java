package io.canopygrid.it.contract;

import java.io.IOException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on three nodes in this JVM. */
@NullUnmarked // the grid is there while tests run
final class EmbeddedContractIT extends CanopyContract {
  private static ContractGrid grid;

  @BeforeAll
  static void start() throws IOException {
    grid = new EmbeddedGrid();
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  @Override
  ContractGrid grid() {
    return grid;
  }
}
