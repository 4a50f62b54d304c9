package io.canopygrid.btree.horizon;

import io.canopygrid.btree.crown.ClonePin;
import io.canopygrid.btree.question.GridAnswers;
import io.canopygrid.btree.question.NodeQuestions;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.store.VersionChain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Finds out what past the nodes of a grid keep, and what holds the horizon back (protocol.md,
 * Garbage). Thread-safe.
 */
public final class HorizonReader {
  private final GmuNode node;
  private final GridAnswers answers;
  private final LongSupplier wallMillis;

  /**
   * The reader of a node, which tells the others about itself from now on.
   *
   * @param wallMillis the time since 1970
   */
  public HorizonReader(GmuNode node, NodeQuestions questions, LongSupplier wallMillis) {
    this.node = node;
    this.wallMillis = wallMillis;
    this.answers = new GridAnswers(node, questions);
    questions.serve(
        NodeQuestions.Kind.HORIZON, (question, answer) -> answer.accept(own().encode()));
  }

  private HorizonFacts own() {
    return HorizonFacts.of(node.self(), node.heldVersions());
  }

  /** The past that each member keeps that answers in a bounded time; this one is first. */
  public List<HorizonFacts> nodes() {
    List<HorizonFacts> nodes = new ArrayList<>();
    nodes.add(own());
    for (byte[] answer : answers.ofAll(NodeQuestions.Kind.HORIZON, new byte[0]).answers()) {
      nodes.add(HorizonFacts.decode(answer));
    }
    return nodes;
  }

  /** The states that all nodes keep, as this node's copy of TOP has them; asks nobody. */
  public List<HeldPast> past() {
    List<HeldPast> past = new ArrayList<>();
    byte[] end = ReservedKcl.PINS.endKey();
    boolean hasMark = false;
    OrderedCursor<VersionChain> pins = node.top().ascending(ReservedKcl.PINS.firstKey());
    while (pins.next() && Arrays.compareUnsigned(pins.key(), end) < 0) {
      byte[] value = pins.value().value();
      byte[] ku = CompositeKey.ofBytes(pins.key()).ku();
      boolean isMark = Pin.isMark(ku);
      if (value != null && !(isMark && hasMark)) { // marks are in the order of their times
        hasMark |= isMark;
        long ageMillis = wallMillis.getAsLong() - Pin.decode(value).createdMillis();
        past.add(held(ku, Math.max(0, ageMillis)));
      }
    }
    return past;
  }

  private static HeldPast held(byte[] ku, long ageMillis) {
    if (Pin.isMark(ku)) {
      return new HeldPast(HeldPast.Kind.RETENTION, "", ageMillis);
    }
    return ClonePin.is(ku)
        ? new HeldPast(HeldPast.Kind.CLONE, ClonePin.of(ku).name(), ageMillis)
        : new HeldPast(HeldPast.Kind.SNAPSHOT, Pin.name(ku), ageMillis);
  }
}
