package io.canopygrid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.wire.MalformedBytesException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class JobReportTest {
  private static final JobReport REPORT =
      new JobReport(
          "a-1",
          JobReport.Kind.RESTORE,
          JobReport.State.FAILED,
          "accounts",
          "bücher.csv",
          "entries",
          1L << 40,
          JobReport.UNKNOWN,
          1_234,
          "why");

  @Test
  void travelsAsItIs() {
    assertThat(JobReport.decode(REPORT.encode())).isEqualTo(REPORT);
  }

  @Test
  void otherBytesAreRefused() {
    byte[] bytes = REPORT.encode();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> JobReport.decode(cut)).isInstanceOf(MalformedBytesException.class);
    }
    bytes[0] = 7;
    assertThatThrownBy(() -> JobReport.decode(bytes)).isInstanceOf(MalformedBytesException.class);
  }
}
