package io.canopygrid.gmu.storage.rocksdb;

import io.canopygrid.gmu.message.Message.LogEntry;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.wire.StoredCodec;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The content of a disk, as text that is the same wherever the content is. */
final class Contents {
  private Contents() {}

  static String of(Recovered recovered) {
    StringBuilder text = new StringBuilder();
    text.append("users ").append(recovered.users()).append('\n');
    text.append("promised ").append(recovered.promised()).append('\n');
    text.append("topology ").append(recovered.topology()).append('\n');
    text.append("over ").append(recovered.over()).append('\n');
    text.append("horizon ").append(recovered.horizon()).append('\n');
    text.append("cuts ").append(recovered.cuts()).append('\n');
    text.append("may lack ").append(recovered.mayLack()).append('\n');
    text.append("marks ").append(new TreeMap<>(recovered.marks())).append('\n');
    text.append(
        lines(
            recovered.decisions().stream()
                .map(d -> "decision " + d.tid() + " " + bytes(StoredCodec.encodeDecision(d)))));
    new TreeMap<>(recovered.copies())
        .forEach(
            (shard, copy) -> text.append("shard ").append(shard).append('\n').append(of(copy)));
    return text.toString();
  }

  private static String of(Recovered.Copy copy) {
    return lines(copy.versions().stream().map(Contents::of))
        + lines(copy.log().stream().map(Contents::of))
        + lines(
            copy.records().stream()
                .map(r -> "record " + r.tid() + " " + bytes(StoredCodec.encodeRecord(r))));
  }

  private static String of(Recovered.Version version) {
    List<Object> fields =
        List.of(
            version.key(),
            version.sequenceNumber(),
            version.tid(),
            version.writer(),
            version.value() == null ? "tombstone" : bytes(version.value()));
    return "version " + fields;
  }

  private static String of(LogEntry entry) {
    return "log " + List.of(entry.sequenceNumber(), entry.tid(), entry.clock());
  }

  private static String bytes(byte[] bytes) {
    return bytes.length + " bytes " + Arrays.hashCode(bytes);
  }

  private static String lines(Stream<String> lines) {
    return lines.sorted().map(line -> line + "\n").collect(Collectors.joining());
  }
}
