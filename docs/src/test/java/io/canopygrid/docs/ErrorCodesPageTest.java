package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/errors.md names every code that the code has, and no other. */
final class ErrorCodesPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (CNPY-\\d{4}) \\| (\\w+) \\|");

  @Test
  void thePageAndTheEnumAgree() {
    Map<String, String> page = new TreeMap<>();
    Matcher row = ROW.matcher(Project.read(Project.ROOT.resolve("docs/errors.md")));
    while (row.find()) {
      page.merge(row.group(1), row.group(2), (a, b) -> a + " and " + b);
    }
    Map<String, String> code = new TreeMap<>();
    for (ErrorCode error : ErrorCode.values()) {
      code.put(error.code(), error.name());
    }
    assertThat(page).isEqualTo(code);
  }
}
