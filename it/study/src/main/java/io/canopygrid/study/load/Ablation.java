package io.canopygrid.study.load;

import io.canopygrid.server.terminal.Narrator;
import io.canopygrid.study.grid.StudyMember;
import io.canopygrid.study.tree.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Measures variants against each other on one cluster: each workload in rounds, in which every
 * variant has its turn, so that what else the machine does hits all of them.
 */
public final class Ablation {
  private final StudyMember member;
  private final Settings settings;
  private final Narrator narrator;
  private final Map<Variant, Records> records = new LinkedHashMap<>();
  private final Map<Variant, StudySubject> subjects = new LinkedHashMap<>();

  /**
   * The settings of the measurements.
   *
   * @param records loaded into each tree, at least 1
   * @param seconds of each variant and workload, over all rounds, above 0
   * @param rounds at least 1
   * @param threads clients, at least 1
   * @param arity of the study trees
   */
  public record Settings(
      List<Variant> variants,
      List<StudyWorkload> workloads,
      int nodes,
      long records,
      double seconds,
      int rounds,
      int threads,
      int arity) {
    public Settings {
      variants = List.copyOf(variants);
      workloads = List.copyOf(workloads);
      require(records >= 1 && records <= 10_000_000, "records", records);
      require(seconds > 0, "seconds", seconds);
      require(rounds >= 1, "rounds", rounds);
      require(threads >= 1, "threads", threads);
      require(arity >= 4 && arity <= 1_000, "arity", arity);
    }

    private static void require(boolean right, String name, Number value) {
      if (!right) {
        throw new IllegalArgumentException(name + " is out of range: " + value);
      }
    }
  }

  /** Creates the ablation on the cluster of a member. */
  public Ablation(StudyMember member, Settings settings, Narrator narrator) {
    this.member = member;
    this.settings = settings;
    this.narrator = narrator;
  }

  /** Loads everything, warms up and measures; the rows by workload, then by variant. */
  public List<Row> run() throws InterruptedException, ExecutionException {
    for (Variant variant : settings.variants()) {
      narrator.say("Loading " + settings.records() + " records into " + variant);
      load(variant);
    }
    WorkloadRun measurement = new WorkloadRun(member, settings.threads());
    List<Row> rows = new ArrayList<>();
    for (StudyWorkload workload : settings.workloads()) {
      rows.addAll(run(measurement, workload));
    }
    return rows;
  }

  private void load(Variant variant) {
    Records loaded = new Records(settings.records());
    records.put(variant, loaded);
    subjects.put(
        variant,
        variant == Variant.CANOPY
            ? Subjects.index(
                member, "study", Subjects.options(settings.records(), settings.nodes()), loaded)
            : Subjects.tree(
                member, variant, settings.variants().indexOf(variant), settings.arity(), loaded));
  }

  private List<Row> run(WorkloadRun measurement, StudyWorkload workload)
      throws InterruptedException, ExecutionException {
    Map<Variant, Row> rows = new LinkedHashMap<>();
    double seconds = settings.seconds() / settings.rounds();
    // The first round warms up and does not count.
    for (int round = 0; round <= settings.rounds(); round++) {
      for (Variant variant : settings.variants()) {
        if (!isMeasured(variant, workload)) {
          continue;
        }
        Row row =
            measurement.run(
                variant, workload, subject(variant, workload), records(variant), seconds, round);
        if (workload.scansHundred() && variant == Variant.CANOPY) {
          row =
              row.withSubtrees(
                  SubtreeSpans.mean(member.node(), records(variant), ClientOperations.SCAN_MAX));
        }
        if (round > 0) {
          rows.merge(variant, row, Row::plus);
        }
      }
      narrator.say(
          round == 0
              ? workload + ": warmed up"
              : workload + ": round " + round + " of " + settings.rounds());
    }
    return List.copyOf(rows.values());
  }

  /** Only the index has registered functions. */
  private static boolean isMeasured(Variant variant, StudyWorkload workload) {
    return variant == Variant.CANOPY || workload != StudyWorkload.PUT_BY_FUNCTION;
  }

  private Records records(Variant variant) {
    Records found = records.get(variant);
    if (found == null) {
      throw new IllegalStateException("not loaded: " + variant);
    }
    return found;
  }

  private StudySubject subject(Variant variant, StudyWorkload workload) {
    StudySubject found = subjects.get(variant);
    if (found == null) {
      throw new IllegalStateException("not loaded: " + variant);
    }
    return workload == StudyWorkload.PUT_BY_FUNCTION
        ? ((IndexSubject) found).withPutsByFunction()
        : found;
  }
}
