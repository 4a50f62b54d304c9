package io.canopygrid.gmu.storage.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log has what was appended; one that was changed is refused, and one that was torn is cut. */
final class WriteAheadLogTest {
  private static final long DISK = 77;
  private static final long OTHER_RUN = 5;
  private static final long SEGMENT_BYTES = 4_000;

  @TempDir Path directory;

  /** The numbers of the segments that have begun, and that have ended. */
  private final List<Long> begun = new ArrayList<>();

  private final List<Long> ended = new ArrayList<>();

  private final class Listener implements WriteAheadLog.Listener {
    @Override
    public void begun(long number) {
      begun.add(number);
    }

    @Override
    public void ended(long number, Path path) {
      assertThat(path).exists();
      ended.add(number);
    }
  }

  private static ByteBuffer content(long position) {
    byte[] content = new byte[(int) (position * 37 % 300)];
    new Random(position).nextBytes(content);
    return ByteBuffer.wrap(content);
  }

  private void write(long from, long to, long number) throws IOException {
    try (WriteAheadLog log =
        new WriteAheadLog(directory, DISK, number, from - 1, SEGMENT_BYTES, new Listener())) {
      for (long position = from; position <= to; position++) {
        if (log.isFull()) {
          log.next();
        }
        log.append(position, content(position));
      }
      log.force();
    }
  }

  private record Read(List<Long> positions, LogReplay.End end) {}

  private Read read(long have, long known) throws IOException {
    List<Long> positions = new ArrayList<>();
    LogReplay.End end =
        new LogReplay(directory, DISK, known)
            .run(
                have,
                segment -> {
                  while (segment.next()) {
                    positions.add(segment.position());
                    assertThat(segment.content()).isEqualTo(content(segment.position()));
                  }
                });
    return new Read(positions, end);
  }

  private static List<Long> upTo(long last) {
    List<Long> positions = new ArrayList<>();
    for (long position = 1; position <= last; position++) {
      positions.add(position);
    }
    return positions;
  }

  @Test
  void itHasWhatWasAppendedInSegments() throws IOException {
    write(1, 100, 1);
    assertThat(begun).hasSizeGreaterThan(3).startsWith(1L, 2L, 3L);
    assertThat(ended).isEqualTo(begun.subList(0, begun.size() - 1));
    long newest = begun.get(begun.size() - 1);
    Read read = read(0, newest);
    assertThat(read.positions()).isEqualTo(upTo(100));
    assertThat(read.end()).isEqualTo(new LogReplay.End(newest, 100, false));
  }

  @Test
  void itGoesOnInANewSegmentAndOldOnesGo() throws IOException {
    write(1, 100, 1);
    long newest = begun.get(begun.size() - 1);
    write(101, 120, newest + 1);
    assertThat(read(0, 1).positions()).isEqualTo(upTo(120));
    new LogReplay(directory, DISK, 1).remove(newest);
    assertThat(read(100, newest + 1).positions()).first().isEqualTo(101L);
  }

  @Test
  void anEmptyOneHasNothing() throws IOException {
    assertThat(read(9, 0).end()).isEqualTo(new LogReplay.End(0, 9, false));
    write(10, 9, 1);
    assertThat(read(9, 1).end()).isEqualTo(new LogReplay.End(1, 9, false));
  }

  @Test
  void aSegmentThatIsMissingIsDamage() throws IOException {
    write(1, 100, 1);
    long newest = begun.get(begun.size() - 1);
    assertThatThrownBy(() -> read(0, newest + 1)).isInstanceOf(LogDamage.class);
    Files.delete(LogFiles.of(directory, 2));
    assertThatThrownBy(() -> read(0, newest))
        .isInstanceOf(LogDamage.class)
        .hasMessageContaining("segment 2");
  }

  /** Segments that were removed can come back after a power cut, some of them, and torn. */
  @Test
  void segmentsOfWhatIsHadAreNotNeeded() throws IOException {
    write(1, 100, 1);
    long newest = begun.get(begun.size() - 1);
    long have;
    try (SegmentReader third =
        Objects.requireNonNull(SegmentReader.open(LogFiles.of(directory, 3), DISK))) {
      have = third.header().position();
    }
    Files.write(LogFiles.of(directory, 1), new byte[10]);
    Files.delete(LogFiles.of(directory, 2));
    assertThat(read(have, newest).positions()).first().isEqualTo(have + 1);
    assertThat(read(have + 1, newest).positions()).last().isEqualTo(100L);
    assertThatThrownBy(() -> read(have - 1, newest)).isInstanceOf(LogDamage.class);
  }

  /** The end that is left out when a directory is opened again can come back, too. */
  @Test
  void aTornEndBeforeTheNextSegmentIsLeftOut() throws IOException {
    List<Long> ends = writeOne(OTHER_RUN, 20, 10);
    byte[] whole = Files.readAllBytes(LogFiles.of(directory, 1));
    Files.write(LogFiles.of(directory, 1), Arrays.copyOf(whole, ends.get(14).intValue() + 3));
    write(16, 25, 2);
    assertThat(read(0, 2).positions()).isEqualTo(upTo(25));
  }

  @Test
  void anOlderSegmentThatEndsEarlyIsDamage() throws IOException {
    write(1, 100, 1);
    Path second = LogFiles.of(directory, 2);
    byte[] bytes = Files.readAllBytes(second);
    for (int kept = SegmentHeader.BYTES; kept < bytes.length; kept += 7) {
      Files.write(second, Arrays.copyOf(bytes, kept));
      assertThatThrownBy(() -> read(0, 1)).as("kept %d", kept).isInstanceOf(LogDamage.class);
    }
  }

  @Test
  void theSegmentOfAnotherDiskIsDamage() throws IOException {
    write(1, 10, 1);
    assertThatThrownBy(() -> new LogReplay(directory, DISK + 1, 1).run(0, SegmentReader::next))
        .isInstanceOf(LogDamage.class);
  }

  @Test
  void aSegmentThatWasAboutToBeginIsNone() throws IOException {
    write(1, 10, 1);
    byte[] header = new SegmentHeader(DISK, 2, 10, MachineRun.current()).toBytes();
    for (int written = 0; written < header.length; written++) {
      Files.write(LogFiles.of(directory, 2), Arrays.copyOf(header, written));
      assertThat(read(0, 1).end()).isEqualTo(new LogReplay.End(1, 10, false));
    }
    assertThatThrownBy(() -> read(0, 2)).isInstanceOf(LogDamage.class);
  }

  // ---- the newest segment

  /** Writes a segment of some run of the machine, and returns the ends of its records. */
  private List<Long> writeOne(long run, int records, int forcedAfter) throws IOException {
    List<Long> ends = new ArrayList<>();
    SegmentHeader header = new SegmentHeader(DISK, 1, 0, run);
    try (SegmentWriter segment = SegmentWriter.begin(LogFiles.of(directory, 1), header)) {
      for (long position = 1; position <= records; position++) {
        segment.append(position, content(position));
        ends.add(segment.size());
        if (position == forcedAfter) {
          segment.force();
        }
      }
    }
    return ends;
  }

  @Test
  void theMachineMayHaveStoppedUnlessItRunsAsItDidWhenTheNewestSegmentBegan() throws IOException {
    writeOne(MachineRun.current(), 5, 0);
    assertThat(read(0, 1).end()).isEqualTo(new LogReplay.End(1, 5, false));
    writeOne(OTHER_RUN, 5, 5);
    assertThat(read(0, 1).end()).isEqualTo(new LogReplay.End(1, 5, true));
    writeOne(MachineRun.UNKNOWN, 5, 5);
    assertThat(read(0, 1).end()).isEqualTo(new LogReplay.End(1, 5, true));
    write(6, 7, 2);
    assertThat(read(0, 2).end()).isEqualTo(new LogReplay.End(2, 7, false));
  }

  @Test
  void theEndThatIsTornIsCutOff() throws IOException {
    List<Long> ends = writeOne(MachineRun.current(), 30, 29);
    byte[] whole = Files.readAllBytes(LogFiles.of(directory, 1));
    Random random = new Random(1);
    for (int kept = ends.get(28).intValue(); kept < whole.length; kept += 2) {
      byte[] torn = whole.clone();
      byte[] rest = new byte[whole.length - kept];
      if (random.nextBoolean()) {
        random.nextBytes(rest);
      }
      System.arraycopy(rest, 0, torn, kept, rest.length);
      Files.write(
          LogFiles.of(directory, 1), random.nextBoolean() ? torn : Arrays.copyOf(torn, kept));
      assertThat(read(0, 1).positions()).as("kept %d", kept).isEqualTo(upTo(29));
    }
  }

  @Test
  void aRecordThatChangesInTheSameRunOfTheMachineIsDamage() throws IOException {
    List<Long> ends = writeOne(MachineRun.current(), 20, 0);
    assertChangesAreDamage(SegmentHeader.BYTES, ends.get(18).intValue());
  }

  /** The power went, and had not reached the place: another record says so. */
  @Test
  void aRecordThatWasForcedAndChangesIsDamage() throws IOException {
    List<Long> ends = writeOne(OTHER_RUN, 20, 10);
    assertChangesAreDamage(SegmentHeader.BYTES, ends.get(9).intValue());
  }

  private void assertChangesAreDamage(int from, int to) throws IOException {
    Path path = LogFiles.of(directory, 1);
    byte[] whole = Files.readAllBytes(path);
    for (int at = from; at < to; at += 5) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x10;
      Files.write(path, changed);
      assertThatThrownBy(() -> read(0, 1)).as("bit at %d", at).isInstanceOf(LogDamage.class);
    }
  }

  /** The power went, and the system had written later pages before earlier ones. */
  @Test
  void aHoleThatAPowerCutLeavesIsTheEnd() throws IOException {
    List<Long> ends = writeOne(OTHER_RUN, 20, 10);
    Path path = LogFiles.of(directory, 1);
    byte[] whole = Files.readAllBytes(path);
    for (int hole = 10; hole < 20; hole++) {
      byte[] torn = whole.clone();
      int from = ends.get(hole - 1).intValue();
      Arrays.fill(torn, from, ends.get(hole).intValue(), (byte) 0);
      Files.write(path, torn);
      assertThat(read(0, 1).positions()).as("record %d", hole + 1).isEqualTo(upTo(hole));
    }
  }
}
