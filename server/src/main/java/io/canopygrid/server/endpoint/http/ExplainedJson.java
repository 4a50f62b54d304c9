package io.canopygrid.server.endpoint.http;

import io.canopygrid.btree.serve.GridMember;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.explain.Explained;
import io.canopygrid.explain.ExplainedAttempt;
import io.canopygrid.explain.ExplainedStep;
import io.canopygrid.explain.StepKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Explained transactions as the API tells them. Thread-safe. */
final class ExplainedJson {
  private static final double NANOS_PER_MILLI = 1e6;

  private final ServedNode node;
  private final String ranAt;

  /** Tells those that ran at a node. */
  ExplainedJson(ServedNode node) {
    this(node, node.name());
  }

  /** Tells those that ran at a node, as another one knows it. */
  ExplainedJson(ServedNode node, String ranAt) {
    this.node = node;
    this.ranAt = ranAt;
  }

  /** A transaction without its steps. */
  Map<String, Object> summary(Explained explained) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("transaction", explained.transaction());
    fields.put("node", ranAt);
    fields.put("label", explained.label());
    fields.put("began", Instant.ofEpochMilli(explained.beganMillis()).toString());
    fields.put("millis", millis(explained.nanos()));
    fields.put("code", explained.code());
    fields.put("tries", explained.attempts().size());
    Map<String, Object> sums = new LinkedHashMap<>();
    for (StepKind kind : StepKind.values()) {
      sums.put(kind.id() + "Millis", millis(explained.sums().getOrDefault(kind, 0L)));
    }
    sums.put("otherMillis", millis(explained.otherNanos()));
    fields.put("sums", sums);
    return fields;
  }

  /**
   * A transaction with its steps.
   *
   * @param named whether keys may be named, as to the user who ran it
   */
  Map<String, Object> whole(Explained explained, boolean named) {
    Map<String, Object> fields = summary(explained);
    fields.put("indexes", explained.indexes());
    List<Map<String, Object>> attempts = new ArrayList<>();
    explained.attempts().forEach(one -> attempts.add(attempt(one, named)));
    fields.put("attempts", attempts);
    List<Map<String, Object>> steps = new ArrayList<>();
    explained.steps().forEach(step -> steps.add(step(step)));
    fields.put("steps", steps);
    fields.put("leftOut", explained.leftOut());
    fields.put("nodes", names(explained));
    return fields;
  }

  private static Map<String, Object> attempt(ExplainedAttempt attempt, boolean named) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("attempt", attempt.number());
    fields.put("atMillis", millis(attempt.beganNanos()));
    fields.put("millis", millis(attempt.nanos()));
    fields.put("code", attempt.code());
    if (!attempt.index().isEmpty()) {
      fields.put("index", attempt.index());
    }
    if (!attempt.other().isEmpty()) {
      fields.put("other", attempt.other());
    }
    if (named && !attempt.detail().isEmpty()) {
      fields.put("detail", attempt.detail());
    }
    return fields;
  }

  private Map<String, Object> step(ExplainedStep step) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", step.kind().id());
    fields.put("part", step.isPart());
    fields.put("attempt", step.attempt());
    fields.put("what", step.what());
    ExplainedStep.At at = step.at();
    if (!at.index().isEmpty()) {
      fields.put("index", at.index());
    }
    if (at.shard() >= 0) {
      fields.put("shard", at.shard());
    }
    fields.put("node", nodeOf(at));
    if (at.rows() >= 0) {
      fields.put("rows", at.rows());
    }
    fields.put("atMillis", millis(step.beganNanos()));
    fields.put("millis", millis(step.nanos()));
    return fields;
  }

  private String nodeOf(ExplainedStep.At at) {
    return at.node().isEmpty() ? ranAt : at.node();
  }

  /** The names for people of the nodes that take part, by id. */
  private Map<String, String> names(Explained explained) {
    Map<String, String> names = new TreeMap<>();
    Map<String, String> known = new TreeMap<>();
    for (GridMember member : node.members()) {
      known.put(member.node(), member.name());
    }
    known.put(node.name(), node.displayName());
    names.put(ranAt, known.getOrDefault(ranAt, ranAt));
    for (ExplainedStep step : explained.steps()) {
      String id = nodeOf(step.at());
      names.putIfAbsent(id, known.getOrDefault(id, id));
    }
    return names;
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e3) / (NANOS_PER_MILLI / 1e3);
  }
}
