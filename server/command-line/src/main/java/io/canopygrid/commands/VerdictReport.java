package io.canopygrid.commands;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.history.Anomaly;
import io.canopygrid.history.History;
import io.canopygrid.history.Model;
import io.canopygrid.history.Txn;
import io.canopygrid.history.Verdict;
import io.canopygrid.history.Workload;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Tells a verdict to a person, or to a program. */
record VerdictReport(History history, Model model, boolean sessions, Verdict verdict) {
  String text() {
    StringBuilder text = new StringBuilder();
    line(text, "history", what());
    line(
        text,
        "transactions",
        String.format(
            Locale.ROOT,
            "%,d committed (%,d of them updates), %,d failed, %,d with unknown end",
            count(Txn.Status.OK),
            verdict.updates(),
            count(Txn.Status.FAIL),
            count(Txn.Status.INFO)));
    line(text, "faults", history.faults().isEmpty() ? "none" : "" + history.faults().size());
    line(text, "model", modelWords());
    line(text, "verdict", verdict.result() + reason());
    sorted().forEach((anomaly, count) -> line(text, "", count + " × " + anomaly));
    verdict.findings().forEach(finding -> text.append("\n\n").append(finding));
    verdict.notes().forEach(note -> text.append("\n\nnote: ").append(note));
    return text.substring(1);
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append('\n').append(String.format(Locale.ROOT, "%-12s  %s", name, value));
  }

  private String what() {
    return history.header().workload().label()
        + ", seed "
        + history.header().seed()
        + ", "
        + history.header().nodes().size()
        + " nodes, fault "
        + history.header().fault();
  }

  private String reason() {
    if (verdict.result() != Verdict.Result.UNKNOWN) {
      return "";
    }
    return verdict.committed() == 0 ? ": no transaction was committed" : ": see the note";
  }

  private String modelWords() {
    if (history.header().workload() == Workload.SINGLE_KEY) {
      return "linearizable, each key by itself";
    }
    return model + (sessions ? ", with the order of sessions" : "");
  }

  private long count(Txn.Status status) {
    return history.txns().stream().filter(txn -> txn.status() == status).count();
  }

  private Map<Anomaly, Integer> sorted() {
    return new TreeMap<>(verdict.counts());
  }

  String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("verdict", verdict.result().toString().toLowerCase(Locale.ROOT));
      json.writeStringField("model", model.label());
      json.writeBooleanField("sessions", sessions);
      json.writeStringField("workload", history.header().workload().label());
      json.writeNumberField("committed", verdict.committed());
      json.writeNumberField("updates", verdict.updates());
      json.writeNumberField("failed", count(Txn.Status.FAIL));
      json.writeNumberField("unknown", count(Txn.Status.INFO));
      json.writeNumberField("faults", history.faults().size());
      json.writeObjectFieldStart("anomalies");
      for (Map.Entry<Anomaly, Integer> entry : sorted().entrySet()) {
        json.writeNumberField(entry.getKey().name().toLowerCase(Locale.ROOT), entry.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("findings");
      for (Verdict.Finding finding : verdict.findings()) {
        json.writeString(finding.toString());
      }
      json.writeEndArray();
      json.writeArrayFieldStart("notes");
      for (String note : verdict.notes()) {
        json.writeString(note);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("a string cannot be written to", e);
    }
    return text.toString();
  }
}
