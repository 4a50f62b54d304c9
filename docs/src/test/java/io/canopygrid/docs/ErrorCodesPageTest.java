package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/reference/errors.md says of every code what the code says, and names no other. */
final class ErrorCodesPageTest {
  @Test
  void thePageAndTheEnumAgree() {
    List<String> page =
        Project.read(Project.ROOT.resolve("docs/reference/errors.md"))
            .lines()
            .filter(line -> line.startsWith("| CNPY-"))
            .toList();
    List<String> code = Arrays.stream(ErrorCode.values()).map(ErrorCodesPageTest::row).toList();
    assertThat(page).as("the rows of docs/reference/errors.md").isEqualTo(code);
  }

  private static String row(ErrorCode error) {
    return "| %s | %s | %s | %s | %s |"
        .formatted(
            error.id(),
            error.name(),
            error.retryable() ? "yes" : "no",
            error.commitState(),
            error.advice());
  }
}
