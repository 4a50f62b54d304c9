package io.canopygrid.gmu.storage.engine;

import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.directory.DataDirectory;
import java.util.List;

/** Engines as modules would bring them. */
final class NamedEngines {
  private NamedEngines() {}

  /** An engine that works. */
  public static class First implements StorageEngine {
    @Override
    public String name() {
      return "First";
    }

    @Override
    public Storage open(DataDirectory directory) {
      return new InMemoryStorage();
    }

    @Override
    public DiskReport verify(DataDirectory directory) {
      return new DiskReport(7, List.of(), 0, 0, List.of());
    }
  }

  /** Another one. */
  public static final class Second extends First {
    @Override
    public String name() {
      return "Second";
    }
  }

  /** An engine whose libraries are not there. */
  public static final class Incomplete extends First {
    @Override
    public Storage open(DataDirectory directory) {
      throw new NoClassDefFoundError("org/example/Library");
    }
  }
}
