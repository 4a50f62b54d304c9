package io.canopygrid.soak.power;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A process that writes to a disk, step by step. */
final class PowerUser {
  private PowerUser() {}

  /**
   * Takes the steps.
   *
   * @param args the disk's directory, and the steps with commas in between
   */
  public static void main(String[] args) throws IOException {
    Path disk = Path.of(args[0]);
    if (!Files.exists(disk)) {
      Files.createDirectory(disk);
      force(disk.resolveSibling("."));
    }
    for (String step : args[1].split(",", -1)) {
      String[] words = step.split(" ", -1);
      take(words[0], disk.resolve(words[1]).normalize(), words[words.length - 1]);
    }
  }

  private static void take(String word, Path file, String last) throws IOException {
    switch (word) {
      case "write" -> {
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
          channel.write(ByteBuffer.wrap(last.getBytes(StandardCharsets.US_ASCII)));
        }
      }
      case "force" -> force(file);
      case "rename" ->
          Files.move(
              file,
              file.resolveSibling(last),
              StandardCopyOption.ATOMIC_MOVE,
              StandardCopyOption.REPLACE_EXISTING);
      case "remove" -> Files.delete(file);
      default -> throw new IllegalArgumentException("no such step: " + word);
    }
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
