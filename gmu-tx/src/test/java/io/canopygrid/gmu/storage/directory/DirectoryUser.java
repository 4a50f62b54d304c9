package io.canopygrid.gmu.storage.directory;

import io.canopygrid.Durability;
import java.io.IOException;
import java.nio.file.Path;

/** A process that has a data directory open until its input ends. */
final class DirectoryUser {
  private DirectoryUser() {}

  public static void main(String[] args) throws IOException {
    try (DataDirectory directory = DataDirectory.open(Path.of(args[0]), 8, Durability.ASYNC)) {
      System.out.println(directory.label().disk());
      while (System.in.read() >= 0) {
        Thread.onSpinWait();
      }
    }
  }
}
