package io.canopygrid.study.scale;

import com.fasterxml.jackson.core.JsonGenerator;
import io.canopygrid.study.load.Row;
import java.io.IOException;

/**
 * One point of a curve.
 *
 * @param row what was measured, in virtual time
 * @param clients where they are: "nodes" or "outside"
 * @param keys how they are chosen: "uniform" or "zipf"
 * @param records in the tree
 * @param arity of a plain tree; of an index its pages'
 * @param coreBusy which part of the time a core of the grid was busy, from 0 to 1, on average
 * @param coreBusyMost the same of the busiest node
 * @param lockBusyMost which part of the time the lock of one node's protocol was held, at most
 * @param crownBytes what the copy of the crown takes on one node, keys and values
 * @param crownEntries how many entries it has
 */
public record ScaleRow(
    Row row,
    String clients,
    String keys,
    long records,
    int arity,
    double coreBusy,
    double coreBusyMost,
    double lockBusyMost,
    long crownBytes,
    long crownEntries) {

  /** As an object. */
  void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    row.writeFields(json);
    json.writeStringField("clients", clients);
    json.writeStringField("keys", keys);
    json.writeNumberField("records", records);
    json.writeNumberField("arity", arity);
    json.writeNumberField("core_busy", Row.rounded(coreBusy));
    json.writeNumberField("core_busy_most", Row.rounded(coreBusyMost));
    json.writeNumberField("lock_busy_most", Row.rounded(lockBusyMost));
    json.writeNumberField("crown_bytes", crownBytes);
    json.writeNumberField("crown_entries", crownEntries);
    json.writeEndObject();
  }
}
