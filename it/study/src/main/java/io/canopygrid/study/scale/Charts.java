package io.canopygrid.study.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Curves over the number of nodes, as SVG. */
public final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 520;

  private Charts() {}

  /**
   * Draws throughput, latency, speed-up and remote requests.
   *
   * @param directory is created where there is none
   * @return the files
   */
  public static List<Path> draw(List<ScaleRow> rows, Path directory) throws IOException {
    Files.createDirectories(directory);
    return List.of(
        chart(
            rows,
            directory.resolve("scale-throughput.svg"),
            "Throughput in virtual time",
            "operations per second",
            point -> point.row().operationsPerSecond()),
        chart(
            rows,
            directory.resolve("scale-latency.svg"),
            "Median latency in virtual time",
            "µs",
            point -> point.row().p50Micros()),
        chart(
            rows,
            directory.resolve("scale-speed-up.svg"),
            "Throughput against that of the smallest grid",
            "times",
            point -> ScaleReport.efficiency(point, rows) * point.row().nodes() / least(rows)),
        chart(
            rows,
            directory.resolve("scale-requests.svg"),
            "Remote requests per transaction",
            "requests",
            point -> point.row().remoteRequestsPerTx()));
  }

  private static int least(List<ScaleRow> rows) {
    return rows.stream().mapToInt(point -> point.row().nodes()).min().orElseThrow();
  }

  private static Path chart(
      List<ScaleRow> rows, Path file, String title, String unit, ToDoubleFunction<ScaleRow> value)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("nodes")
            .yAxisTitle(unit)
            .theme(ChartTheme.XChart)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setYAxisMin(0.0);
    Map<String, List<ScaleRow>> curves = new LinkedHashMap<>();
    for (ScaleRow point : rows) {
      curves.computeIfAbsent(ScaleReport.curve(point), name -> new ArrayList<>()).add(point);
    }
    curves.forEach((name, points) ->
        chart.addSeries(
            name,
            points.stream().mapToDouble(point -> point.row().nodes()).toArray(),
            points.stream().mapToDouble(value).toArray()));
    VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
    return file;
  }
}
