package io.canopygrid.ycsb.bench;

import io.canopygrid.server.terminal.TextTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy bench compare}: tells which results of two runs differ by more than noise. */
@Command(
    name = "compare",
    description = {
      "Compare two runs of bench micro, of bench ycsb, or of bench roundtrip, that were printed"
          + " with --output json, and say what differs beyond noise."
    },
    footer = {
      "",
      "Each thing needs 3 values in each file: the forks of bench micro (the iterations, if there"
          + " are",
      "fewer than 3 forks), the rounds of the others. Welch's t-test tells whether their means",
      "differ; at a confidence of 0.99, one in a hundred that are alike is called different. What",
      "else the machine did in one run and not in the other is a difference, too: run both in"
          + " turns.",
      "",
      "Exit code 2 if a file is not what it must be, or the two have nothing in common."
    })
final class CompareCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "A", description = "The first run.")
  private Path first = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "The second run.")
  private Path second = Path.of("");

  @Option(
      names = "--confidence",
      paramLabel = "C",
      defaultValue = "0.99",
      description = "From which on a difference is one, above 0.5 and below 1 (${DEFAULT-VALUE}).")
  private double confidence;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (!(confidence > 0.5 && confidence < 1)) {
      throw wrong("--confidence must be above 0.5 and below 1: confidence=" + confidence, null);
    }
    Map<String, Sample> a = samples(first);
    Map<String, Sample> b = samples(second);
    Map<String, Comparison> both = new TreeMap<>();
    a.forEach((name, sample) -> {
      Sample other = b.get(name);
      if (other != null) {
        both.put(name, compared(name, sample, other));
      }
    });
    if (both.isEmpty()) {
      throw wrong(first + " and " + second + " have measured nothing in common", null);
    }
    PrintWriter out = spec.commandLine().getOut();
    print(both, out);
    printRest("a", a.keySet(), both.keySet(), out);
    printRest("b", b.keySet(), both.keySet(), out);
    out.flush();
    return 0;
  }

  private Map<String, Sample> samples(Path file) {
    try {
      return SampleFile.read(file);
    } catch (BenchFailure e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  private Comparison compared(String name, Sample a, Sample b) {
    if (!a.unit().equals(b.unit())) {
      throw wrong(name + " was measured in " + a.unit() + " and in " + b.unit(), null);
    }
    return Comparison.of(a, b);
  }

  private ParameterException wrong(String message, @Nullable Throwable cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }

  private void print(Map<String, Comparison> both, PrintWriter out) {
    TextTable table = new TextTable(List.of("what", "a", "b", "unit", "change", "verdict"));
    int different = 0;
    for (Map.Entry<String, Comparison> entry : both.entrySet()) {
      Comparison comparison = entry.getValue();
      String verdict = comparison.verdict(confidence);
      different += verdict.equals("same") ? 0 : 1;
      table.add(
          List.of(
              entry.getKey(),
              number("%.2f", comparison.first().mean()),
              number("%.2f", comparison.second().mean()),
              comparison.first().unit(),
              number("%+.1f %%", 100 * comparison.change()),
              verdict));
    }
    table.lines().forEach(out::println);
    out.println();
    out.println(different + " of " + both.size() + " differ beyond noise");
  }

  private static void printRest(String file, Set<String> names, Set<String> both, PrintWriter out) {
    List<String> rest = new ArrayList<>(names);
    rest.removeAll(both);
    if (!rest.isEmpty()) {
      out.println("only in " + file + ": " + String.join(", ", rest));
    }
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
