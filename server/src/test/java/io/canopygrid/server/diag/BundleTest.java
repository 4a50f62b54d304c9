package io.canopygrid.server.diag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file for support. */
final class BundleTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void secretsAreStruckOutEverywhere() throws IOException {
    Bundle bundle = new Bundle(List.of("hush", ""));
    bundle.add("a.txt", "the password is hush.");
    bundle.lacks("b.txt", "hush was refused");
    Path file = directory.resolve("a.zip");

    bundle.write(file);

    assertThat(read(file, "a.txt")).isEqualTo("the password is (hidden).");
    assertThat(read(file, "README.txt"))
        .contains("neither keys nor", "  a.txt\n", "  b.txt: (hidden) was refused\n");
    assertThat(bundle.missing()).containsExactly("b.txt: (hidden) was refused");
  }

  @Test
  void onlyItsOwnerReadsTheFile() throws IOException {
    Path file = directory.resolve("b.zip");

    new Bundle(List.of()).write(file);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void noFileIsReplaced() throws IOException {
    Path file = Files.writeString(directory.resolve("c.zip"), "mine");

    assertThatThrownBy(() -> new Bundle(List.of()).write(file))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("mine");
  }

  private static String read(Path file, String name) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry entry = zip.getEntry(name);
      try (InputStream in = zip.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
