package io.canopygrid.junit;

import io.canopygrid.ClusterConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the nodes of a grid are: their ports, and a temporary directory for their files. */
final class GridSite {
  /** The number of nodes that have a copy of each entry, if there are so many. */
  static final int OWNERS = 2;

  /** Enough for the few nodes of a test; more would take longer to start. */
  private static final int SHARDS = 32;

  /** Less than the 10 s of a real grid, for which no test should wait. */
  private static final Duration FAILURE_TIMEOUT = Duration.ofSeconds(2);

  private final List<TestNode> nodes;

  /** Null: there is one node, which needs none. */
  private final @Nullable Path directory;

  private GridSite(List<TestNode> nodes, @Nullable Path directory) {
    this.nodes = List.copyOf(nodes);
    this.directory = directory;
  }

  /** A place for a grid; none of its nodes runs yet. */
  static GridSite of(GridShape shape) {
    if (shape.isStandalone()) {
      return new GridSite(List.of(new TestNode(0)), null);
    }
    try {
      Path directory = Files.createTempDirectory("canopy-test-");
      return new GridSite(nodes(shape, directory), directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<TestNode> nodes(GridShape shape, Path directory) throws IOException {
    Path stack = SeverableStack.write(directory.resolve("stack.xml"));
    Path stackOfFirst = SeverableStack.writeOfFirst(directory.resolve("first-stack.xml"));
    List<Integer> ports = LoopbackPorts.pick(shape.nodes());
    ClusterConfig common =
        ClusterConfig.of("test-" + ports.get(0))
            .members(ports.stream().map(port -> "127.0.0.1:" + port).toList())
            .owners(OWNERS)
            .shards(SHARDS)
            .failureTimeout(FAILURE_TIMEOUT)
            .rejoinGrace(Duration.ZERO)
            .stack(stack);
    List<TestNode> nodes = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      ClusterConfig own = common.port(ports.get(i)).nodeName("node-" + i);
      if (shape.onDisk()) {
        own = own.dataDirectory(directory.resolve("data-" + i));
      }
      nodes.add(new TestNode(i, own, own.stack(stackOfFirst)));
    }
    return nodes;
  }

  List<TestNode> nodes() {
    return nodes;
  }

  /** Deletes the directory, when no node runs any more. */
  void delete() {
    if (directory == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
