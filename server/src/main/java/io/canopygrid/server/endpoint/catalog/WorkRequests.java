package io.canopygrid.server.endpoint.catalog;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.btree.horizon.HorizonReader;
import io.canopygrid.btree.hot.HotFacts;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.job.JobReport;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.horizon.Holder;
import io.canopygrid.server.endpoint.jobs.HeardJob;
import io.canopygrid.server.endpoint.jobs.ServerJobs;
import io.canopygrid.wire.client.HotEntry;
import io.canopygrid.wire.client.HotNode;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import io.canopygrid.wire.client.RunningJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says which entries are read most, and what takes long. Thread-safe; may block. */
final class WorkRequests {
  private final ServedNode node;
  private final ServerJobs jobs;

  WorkRequests(ServedNode node, ServerJobs jobs) {
    this.node = node;
    this.jobs = jobs;
  }

  /** The answer to a request; null: the request is about something else. */
  @Nullable Reply answer(Request request, Access access) {
    if (request instanceof Request.AskHotEntries ask) {
      return hotEntries(ask.index(), access);
    }
    if (request instanceof Request.AskWork) {
      access.check(Right.READ, "");
      return work(access);
    }
    return null;
  }

  /** Keys are data: they are told to those who may read the index. */
  private Reply.HotEntries hotEntries(int number, Access access) {
    access.check(Right.READ, number == 0 ? "" : node.index(number).name());
    Map<Integer, String> names = new HashMap<>();
    for (IndexRef index : node.indexes()) {
      if (number == 0 || number == index.number()) {
        names.put(index.number(), index.name());
      }
    }
    List<HotNode> nodes = new ArrayList<>();
    List<HotEntry> shown = new ArrayList<>();
    int hidden = 0;
    for (HotFacts facts : node.hot().nodes()) {
      nodes.add(node(facts));
      for (HotFacts.Entry entry : facts.entries()) {
        String name = names.get(entry.index());
        if (name != null && access.allows(Right.READ, name)) {
          shown.add(entry(entry, facts.node()));
        } else if (name != null) {
          hidden++;
        }
      }
    }
    shown.sort(Comparator.comparingDouble(HotEntry::readsPerSecond).reversed());
    return new Reply.HotEntries(nodes, shown, hidden);
  }

  private static HotNode node(HotFacts facts) {
    HotNode.Mode mode =
        switch (facts.mode()) {
          case OFF -> HotNode.Mode.OFF;
          case ON -> HotNode.Mode.ON;
        };
    return new HotNode(
        facts.node(), mode, facts.entries().size(), facts.copies(), facts.reads(), facts.pushes());
  }

  private static HotEntry entry(HotFacts.Entry entry, String primary) {
    return new HotEntry(
        entry.index(),
        entry.key(),
        primary,
        entry.readsPerSecond(),
        entry.copyReadsPerSecond(),
        entry.keepers());
  }

  private Reply.Work work(Access access) {
    List<RunningJob> running =
        jobs.all().stream()
            .filter(job -> job.isRunning() && job.isShownTo(access))
            .map(WorkRequests::running)
            .toList();
    HorizonReader horizon = node.horizon();
    Holder oldest = Holder.notable(Holder.all(horizon.nodes(), horizon.past()));
    return oldest == null
        ? new Reply.Work(running, 0, "")
        : new Reply.Work(running, oldest.millis(), oldest.what());
  }

  private static RunningJob running(HeardJob job) {
    JobReport report = job.report();
    String kind = report.kind().name().toLowerCase(Locale.ROOT);
    return new RunningJob(kind, report.name(), report.done(), Math.max(0, report.total()));
  }
}
