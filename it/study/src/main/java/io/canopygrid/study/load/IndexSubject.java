package io.canopygrid.study.load;

import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.FunctionCall;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Range;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.study.grid.StudyMember;
import io.canopygrid.study.tree.Operation;
import io.canopygrid.study.tree.OperationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The index, used as a program would. */
public final class IndexSubject implements StudySubject {
  private final EmbeddedCanopy canopy;
  private final Index<Long, byte[]> index;
  private final Functions functions;

  /** The operations that run as registered functions. */
  private enum Functions {
    NONE,
    UPDATES,
    UPDATES_AND_PUTS
  }

  private IndexSubject(EmbeddedCanopy canopy, Index<Long, byte[]> index, Functions functions) {
    this.canopy = canopy;
    this.index = index;
    this.functions = functions;
  }

  /** An index at a node, which is created where there is none. */
  public IndexSubject(StudyMember member, String name, IndexOptions options) {
    this(
        member.canopy(),
        member.canopy().index(name, Codec.int64(), Codec.bytes(), options),
        Functions.UPDATES);
  }

  /** The same, but nothing is done by functions: for who runs operations where the data is. */
  public IndexSubject withoutFunctions() {
    return new IndexSubject(canopy, index, Functions.NONE);
  }

  /** The same, but puts go to the owner as a registered function. */
  IndexSubject withPutsByFunction() {
    return new IndexSubject(canopy, index, Functions.UPDATES_AND_PUTS);
  }

  /** The index. */
  public Index<Long, byte[]> index() {
    return index;
  }

  @Override
  public OperationResult run(Operation operation) {
    long key = Codec.int64().decode(operation.key());
    return switch (operation.kind()) {
      case GET -> canopy.read(tx -> one(operation, tx.on(index).get(key)));
      case PUT -> put(key, operation.value());
      case REMOVE -> {
        canopy.run(tx -> tx.on(index).remove(key));
        yield OperationResult.NOTHING;
      }
      case READ_MODIFY_WRITE -> {
        countUp(key);
        yield OperationResult.NOTHING;
      }
      case SCAN -> scan(key, operation.limit());
    };
  }

  private OperationResult put(long key, byte[] value) {
    if (functions == Functions.UPDATES_AND_PUTS) {
      canopy.execute(FunctionCall.of(StudyMember.PUT, value).at(index, key));
    } else {
      canopy.run(tx -> tx.on(index).put(key, value));
    }
    return OperationResult.NOTHING;
  }

  private void countUp(long key) {
    if (functions == Functions.NONE) {
      canopy.run(tx ->
          tx.on(index).compute(key, (k, old) -> old == null ? null : Operation.countedUp(old)));
    } else {
      canopy.execute(FunctionCall.of(StudyMember.COUNT_UP, new byte[0]).at(index, key));
    }
  }

  /** Puts entries in one transaction. */
  void putAll(List<Map.Entry<byte[], byte[]>> entries) {
    canopy.run(tx ->
        entries.forEach(
            entry -> tx.on(index).put(Codec.int64().decode(entry.getKey()), entry.getValue())));
  }

  private static OperationResult one(Operation operation, byte @Nullable [] value) {
    return value == null
        ? OperationResult.NOTHING
        : new OperationResult(List.of(operation.key()), List.of(value));
  }

  private OperationResult scan(long from, int limit) {
    return canopy.<OperationResult, RuntimeException>read(tx -> {
      List<byte[]> keys = new ArrayList<>();
      List<byte[]> values = new ArrayList<>();
      try (Cursor<Long, byte[]> cursor = tx.on(index).scan(Range.atLeast(from)).limit(limit)) {
        for (Map.Entry<Long, byte[]> entry : cursor) {
          keys.add(Codec.int64().encode(entry.getKey()));
          values.add(entry.getValue());
        }
      }
      return new OperationResult(keys, values);
    });
  }

  @Override
  public long aborts() {
    return canopy.stats().total().abortsOfAllCodes();
  }
}
