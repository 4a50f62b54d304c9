package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.simulation.TransactionMix.Operation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A read of a client under way. */
final class AskedRead {
  final Operation operation;
  final ReadQuery query;
  long request;
  Effect.@Nullable Answer answer;
  Map<CompositeKey, TxId> ghosts = Map.of();

  AskedRead(Operation operation, ReadQuery query) {
    this.operation = operation;
    this.query = query;
  }

  void answered(Effect.Answer given, Map<CompositeKey, TxId> ghostsThen) {
    answer = given;
    ghosts = ghostsThen;
  }
}
