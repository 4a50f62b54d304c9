package io.canopygrid.btree.explain;

import io.canopygrid.btree.question.NodeBytes;
import io.canopygrid.explain.Explained;
import io.canopygrid.explain.ExplainedAttempt;
import io.canopygrid.explain.ExplainedStep;
import io.canopygrid.explain.StepKind;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The bytes of explained transactions, as they go from node to node. The words of errors, which may
 * name keys, stay where they are.
 */
final class ExplainedBytes {
  /** No node keeps as many transactions, and none has as many steps. */
  private static final int LIST_MAX = 10_000;

  private static final int BYTES = 1_024;

  /** The kinds by their number in bytes. */
  private static final List<StepKind> KINDS = List.of(StepKind.values());

  private ExplainedBytes() {}

  /**
   * The bytes of some transactions of a node.
   *
   * @param withSteps whether their steps are told, too
   */
  static byte[] encode(String node, List<Explained> all, boolean withSteps) {
    ByteWriter out = NodeBytes.begin(BYTES).writeText(node).writeVarLong(all.size());
    all.forEach(one -> write(out, one, withSteps ? one.steps() : List.of()));
    return out.toBytes();
  }

  private static void write(ByteWriter out, Explained one, List<ExplainedStep> steps) {
    out.writeText(one.transaction()).writeText(one.label()).writeVarLong(one.beganMillis());
    out.writeVarLong(one.nanos()).writeText(one.code());
    out.writeVarLong(one.indexes().size());
    one.indexes().forEach(out::writeText);
    out.writeVarLong(one.attempts().size());
    one.attempts().forEach(attempt -> write(out, attempt));
    out.writeVarLong(steps.size());
    steps.forEach(step -> write(out, step));
    out.writeVarLong(one.leftOut()).writeVarLong(one.sums().size());
    one.sums().forEach((kind, nanos) -> out.writeByte(KINDS.indexOf(kind)).writeVarLong(nanos));
  }

  private static void write(ByteWriter out, ExplainedAttempt attempt) {
    out.writeVarLong(attempt.number()).writeVarLong(attempt.beganNanos());
    out.writeVarLong(attempt.nanos()).writeText(attempt.code());
    out.writeText(attempt.index()).writeText(attempt.other());
  }

  private static void write(ByteWriter out, ExplainedStep step) {
    out.writeByte(KINDS.indexOf(step.kind())).writeByte(step.isPart() ? 1 : 0);
    out.writeVarLong(step.attempt()).writeText(step.what());
    ExplainedStep.At at = step.at();
    out.writeText(at.index()).writeVarLong(at.shard() + 1L).writeText(at.node());
    out.writeVarLong(Math.max(-1, at.rows()) + 1);
    out.writeLong(step.beganNanos()).writeVarLong(step.nanos());
  }

  /**
   * The transactions in some bytes.
   *
   * @throws io.canopygrid.CanopyException {@link io.canopygrid.ErrorCode#PROTOCOL_ERROR} where they
   *     are none
   */
  static List<NodeExplained> decode(byte[] bytes) {
    return NodeBytes.decodeBeginning(
        bytes,
        in -> {
          String node = in.readText();
          return list(in, one -> new NodeExplained(node, read(one)));
        });
  }

  private static <T> List<T> list(ByteReader in, Function<ByteReader, T> read) {
    List<T> list = new ArrayList<>();
    for (int left = in.readCount(LIST_MAX); left > 0; left--) {
      list.add(read.apply(in));
    }
    return list;
  }

  private static Explained read(ByteReader in) {
    String transaction = in.readText();
    String label = in.readText();
    long beganMillis = in.readVarLong();
    long nanos = in.readVarLong();
    String code = in.readText();
    List<String> indexes = list(in, ByteReader::readText);
    List<ExplainedAttempt> attempts = list(in, ExplainedBytes::readAttempt);
    List<ExplainedStep> steps = list(in, ExplainedBytes::readStep);
    long leftOut = in.readVarLong();
    Map<StepKind, Long> sums = new EnumMap<>(StepKind.class);
    for (int left = in.readCount(KINDS.size()); left > 0; left--) {
      StepKind kind = readKind(in);
      sums.put(kind, in.readVarLong());
    }
    return new Explained(
        transaction, label, beganMillis, nanos, code, indexes, attempts, steps, leftOut, sums);
  }

  private static ExplainedAttempt readAttempt(ByteReader in) {
    int number = in.readCount(Integer.MAX_VALUE);
    long beganNanos = in.readVarLong();
    long nanos = in.readVarLong();
    String code = in.readText();
    String index = in.readText();
    return new ExplainedAttempt(number, beganNanos, nanos, code, "", index, in.readText());
  }

  private static ExplainedStep readStep(ByteReader in) {
    StepKind kind = readKind(in);
    boolean isPart = in.readByte() == 1;
    int attempt = in.readCount(Integer.MAX_VALUE);
    String what = in.readText();
    String index = in.readText();
    int shard = in.readCount(Integer.MAX_VALUE) - 1;
    String node = in.readText();
    long rows = in.readVarLong() - 1;
    ExplainedStep.At at = new ExplainedStep.At(index, shard, node, rows);
    long beganNanos = in.readLong();
    return new ExplainedStep(kind, isPart, attempt, what, at, beganNanos, in.readVarLong());
  }

  private static StepKind readKind(ByteReader in) {
    int number = in.readByte();
    if (number >= KINDS.size()) {
      throw new MalformedBytesException("no kind of step: " + number);
    }
    return KINDS.get(number);
  }
}
