package io.canopygrid.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PartFileTest {
  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("x.csv");
  }

  private Path part() {
    return directory.resolve("x.csv.part");
  }

  @Test
  void nothingHasTheNameBeforeItIsWhole() throws IOException {
    Files.writeString(part(), "of an earlier export");
    try (PartFile out = PartFile.begin(file(), false)) {
      out.stream().write('a');
      assertThat(file()).doesNotExist();
      out.complete();
    }
    assertThat(file()).hasContent("a");
    assertThat(part()).doesNotExist();
  }

  @Test
  void aFileThatCameMeanwhileStays() throws IOException {
    try (PartFile out = PartFile.begin(file(), false)) {
      Files.writeString(file(), "mine");
      assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(out::complete);
    }
    assertThat(file()).hasContent("mine");
  }

  @Test
  void aSecondExportOfTheFileIsRefused() throws IOException {
    try (PartFile first = PartFile.begin(file(), false)) {
      first.stream().write('a');
      assertThatExceptionOfType(CanopyException.class)
          .isThrownBy(() -> PartFile.begin(file(), false))
          .withMessageContaining("another export is writing");
      first.complete();
    }
    assertThat(file()).hasContent("a");
  }

  @Test
  void failuresHaveCodes() {
    String name = file().toString();
    assertThat(WriteFailures.coded(name, new IOException("No space left on device")).code())
        .isEqualTo(ErrorCode.DISK_FULL);
    assertThat(
            WriteFailures.coded(name, new FileSystemException(name, null, "Disk quota exceeded"))
                .code())
        .isEqualTo(ErrorCode.DISK_FULL);
    assertThat(WriteFailures.coded(name, new NoSuchFileException(name)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("there is no directory " + directory);
  }
}
