package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.storage.StorageException.Reason;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** The engine's failures become the reasons that say what can be done. */
final class EngineFailuresTest {
  private static final EngineFailures FAILURES = new EngineFailures(Path.of("the", "data"));

  @Test
  void aDiskWithoutRoomIsFull() {
    assertThat(reason(Status.Code.IOError, Status.SubCode.NoSpace)).isEqualTo(Reason.FULL);
    assertThat(FAILURES.of(status(Status.Code.IOError, Status.SubCode.NoSpace), null))
        .hasMessageContaining(Path.of("the", "data").toString())
        .hasMessageContaining("full");
  }

  @Test
  void corruptionIsDamage() {
    assertThat(reason(Status.Code.Corruption, Status.SubCode.None)).isEqualTo(Reason.DAMAGED);
  }

  @Test
  void aFileThatIsGoneIsDamage() {
    Status status =
        new Status(
            Status.Code.IOError,
            Status.SubCode.None,
            "While open a file: 000009.blob: No such file or directory");
    assertThat(FAILURES.of(new RocksDBException(status)).reason()).isEqualTo(Reason.DAMAGED);
  }

  @Test
  void allElseIsAFailure() {
    assertThat(reason(Status.Code.IOError, Status.SubCode.None)).isEqualTo(Reason.FAILED);
    assertThat(reason(Status.Code.Aborted, Status.SubCode.None)).isEqualTo(Reason.FAILED);
    assertThat(FAILURES.of(null, null).reason()).isEqualTo(Reason.FAILED);
  }

  @Test
  void partsThatAreNotThereAreDamageAtOpen() {
    RocksDBException missing =
        new RocksDBException(status(Status.Code.InvalidArgument, Status.SubCode.None));
    assertThat(FAILURES.atOpen(missing).reason()).isEqualTo(Reason.DAMAGED);
    assertThat(FAILURES.of(missing).reason()).isEqualTo(Reason.FAILED);
    RocksDBException full =
        new RocksDBException(status(Status.Code.IOError, Status.SubCode.NoSpace));
    assertThat(FAILURES.atOpen(full).reason()).isEqualTo(Reason.FULL);
  }

  private static Reason reason(Status.Code code, Status.SubCode subCode) {
    return FAILURES.of(new RocksDBException(status(code, subCode))).reason();
  }

  private static Status status(Status.Code code, Status.SubCode subCode) {
    return new Status(code, subCode, "what the engine says");
  }
}
