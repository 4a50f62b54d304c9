package io.canopygrid.ycsb.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy bench micro}: runs the JMH benchmarks on the class path. */
@Command(
    name = "micro",
    description = {
      "Run the JMH benchmarks of the parts: each in JVMs of its own, what is compared with each"
          + " other right after one another.",
      "Short by default: few entries, short iterations, and the number of warm-up iterations that"
          + " each benchmark asks for; good for a comparison of two builds on one machine. Results are on standard output, everything else on standard error."
    },
    footer = {
      "",
      "In the table, 'times' is how many times as fast as the subject skiplist of the same"
          + " benchmark.",
      "Example: canopy bench micro --output json > a.json, and again with a change > b.json; then",
      "canopy bench compare a.json b.json"
    })
final class MicroCommand implements Callable<Integer> {
  private static final int SHORT_ITERATIONS = 3;
  private static final TimeValue SHORT_TIME = TimeValue.milliseconds(400);

  /** Each benchmark says how many it needs: code that is half compiled is several times slower. */
  private static final TimeValue SHORT_WARMUP = TimeValue.seconds(1);

  private static final String SHORT_ENTRIES = "100000";

  /** The format of the results. */
  enum Output {
    TABLE,
    JSON;

    /** The format as the user types it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description = "Only benchmarks whose name has a match of one of these regular expressions.")
  private List<String> patterns = List.of();

  @Option(
      names = "--full",
      description = "As many entries and as long as the benchmarks themselves say: an hour.")
  private boolean full;

  @Option(
      names = "--entries",
      paramLabel = "N",
      description =
          "Entries of the benchmarks that have some (" + SHORT_ENTRIES + "; --full: theirs).")
  private int entries;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "3",
      description = "JVMs in turn for each benchmark, 1 to 100 (${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      description = "table, or json as JMH writes it (${DEFAULT-VALUE}).")
  private Output output = Output.TABLE;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    check();
    PrintStream progress = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    Collection<RunResult> results;
    try {
      results =
          new Runner(
                  options().build(),
                  OutputFormatFactory.createFormatInstance(progress, VerboseMode.NORMAL))
              .run();
    } catch (NoBenchmarksException e) {
      throw new ParameterException(
          spec.commandLine(), "no benchmark's name has a match of " + patterns, e);
    } catch (RunnerException e) {
      progress.println("FAILED: " + e.getMessage());
      return 1;
    }
    print(results, spec.commandLine().getOut());
    return 0;
  }

  private void check() {
    if (forks < 1 || forks > 100) {
      throw new ParameterException(
          spec.commandLine(), "--forks must be from 1 to 100: forks=" + forks);
    }
    if (entries < 0 || entries > 10_000_000) {
      throw new ParameterException(
          spec.commandLine(), "--entries must be from 1 to 10000000: entries=" + entries);
    }
    for (String pattern : patterns) {
      try {
        Pattern.compile(pattern);
      } catch (PatternSyntaxException e) {
        throw new ParameterException(
            spec.commandLine(), "'" + pattern + "' is no regular expression", e);
      }
    }
  }

  private ChainedOptionsBuilder options() {
    ChainedOptionsBuilder options = new OptionsBuilder().forks(forks).shouldFailOnError(true);
    patterns.forEach(options::include);
    if (!full) {
      options
          .warmupTime(SHORT_WARMUP)
          .measurementIterations(SHORT_ITERATIONS)
          .measurementTime(SHORT_TIME);
    }
    if (entries > 0) {
      options.param("entries", Integer.toString(entries));
    } else if (!full) {
      options.param("entries", SHORT_ENTRIES);
    }
    return options;
  }

  private void print(Collection<RunResult> results, PrintWriter out) {
    if (output == Output.JSON) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (PrintStream json = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
        ResultFormatFactory.getInstance(ResultFormatType.JSON, json).writeOut(results);
      }
      out.println(bytes.toString(StandardCharsets.UTF_8).trim());
    } else {
      MicroTable.lines(results).forEach(out::println);
    }
    out.flush();
  }
}
