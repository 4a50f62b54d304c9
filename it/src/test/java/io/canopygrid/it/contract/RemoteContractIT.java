package io.canopygrid.it.contract;

import java.io.IOException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract through the network, on three server processes. */
@NullUnmarked // the grid is there while tests run
final class RemoteContractIT extends CanopyContract {
  private static ContractGrid grid;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    grid = new RemoteGrid();
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
