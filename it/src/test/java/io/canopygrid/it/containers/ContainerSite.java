package io.canopygrid.it.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Image;
import com.github.dockerjava.api.model.Network;
import com.github.dockerjava.api.model.Network.Ipam;
import com.github.dockerjava.api.model.StreamType;
import io.canopygrid.pem.CertificateMaker;
import io.canopygrid.soak.cluster.NodeHandle;
import io.canopygrid.soak.cluster.Site;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.rnorth.ducttape.unreliables.Unreliables;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Nodes in containers of one image, which is made of this JVM's JDK and class path. The network of
 * the containers is a bridge without a way out; each node keeps its address there. The nodes know
 * each other by an identity. Confined to a thread.
 */
final class ContainerSite implements Site, AutoCloseable {
  private static final String IMAGE = "canopy-it";
  private static final String SUBNET = "172.31.77.";
  private static final int FIRST_HOST = 11;
  private static final int PORT = 7800;
  private static final int PIPE_BYTES = 1 << 16;

  private final DockerClient docker = DockerClientFactory.instance().client();
  private final Path directory;
  private final Path identity;
  private final String network;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, Node> byPlace = new HashMap<>();

  /**
   * Builds the image and makes the network.
   *
   * @param directory of this machine that each node sees under the same path
   */
  ContainerSite(Path directory) throws IOException {
    this.directory = directory;
    identity = directory.resolve("cluster.pem");
    CertificateMaker.writeForCluster(identity, 1);
    removeLeftovers();
    buildImage();
    network =
        docker
            .createNetworkCmd()
            .withName(IMAGE)
            .withDriver("bridge")
            .withInternal(true)
            .withIpam(new Ipam().withConfig(new Ipam.Config().withSubnet(SUBNET + "0/24")))
            .exec()
            .getId();
  }

  /** Removes the containers of a run that was killed. */
  private void removeLeftovers() {
    for (Container left :
        docker.listContainersCmd().withShowAll(true).withAncestorFilter(List.of(IMAGE)).exec()) {
      docker.removeContainerCmd(left.getId()).withForce(true).exec();
    }
    for (Network left : docker.listNetworksCmd().withNameFilter(IMAGE).exec()) {
      docker.removeNetworkCmd(left.getId()).exec();
    }
    for (Image left : docker.listImagesCmd().withReferenceFilter(IMAGE).exec()) {
      docker.removeImageCmd(left.getId()).withForce(true).exec();
    }
  }

  private static void buildImage() throws IOException {
    String script = System.getProperty("canopy.containers.image");
    Process build =
        new ProcessBuilder(
                script,
                IMAGE,
                System.getProperty("java.home"),
                System.getProperty("java.class.path").replace(File.pathSeparatorChar, ':'))
            .inheritIO()
            .start();
    try {
      if (build.waitFor() != 0) {
        throw new IOException(script + " failed: " + build.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public List<String> places(int count) {
    List<String> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(SUBNET + (FIRST_HOST + i) + ":" + PORT);
    }
    return places;
  }

  @Override
  public Running start(String name, String place, Path log, List<String> jvmOptions)
      throws IOException {
    Node node = new Node(name, place.substring(0, place.indexOf(':')), log, jvmOptions);
    nodes.add(node);
    byPlace.put(place, node);
    node.attach();
    return node;
  }

  /** Takes a node off the network; what it had open stays open, and silent. */
  void disconnect(NodeHandle node) {
    docker
        .disconnectFromNetworkCmd()
        .withNetworkId(network)
        .withContainerId(of(node).id())
        .withForce(true)
        .exec();
  }

  /** Brings it back under its address. */
  void connect(NodeHandle node) {
    docker
        .connectToNetworkCmd()
        .withNetworkId(network)
        .withContainerId(of(node).id())
        .withContainerNetwork(at(of(node).address))
        .exec();
  }

  private Node of(NodeHandle node) {
    Node known = byPlace.get(node.place());
    if (known == null) {
      throw new IllegalArgumentException("no node of this site: " + node.name());
    }
    return known;
  }

  private static ContainerNetwork at(String address) {
    return new ContainerNetwork()
        .withIpamConfig(new ContainerNetwork.Ipam().withIpv4Address(address));
  }

  /** Removes all containers, since no other code cleans up. */
  @Override
  public void close() {
    nodes.forEach(node -> node.container.close());
    docker.removeNetworkCmd(network).exec();
    docker.removeImageCmd(IMAGE).withForce(true).exec();
  }

  /** One container. */
  private final class Node implements Running {
    private final String address;
    private final GenericContainer<?> container;
    private final PipedOutputStream input = new PipedOutputStream();
    private final PipedInputStream toContainer = new PipedInputStream(PIPE_BYTES);
    private final PipedInputStream output = new PipedInputStream(PIPE_BYTES);
    private final PipedOutputStream fromContainer = new PipedOutputStream();
    private final OutputStream log;
    private final CountDownLatch ended = new CountDownLatch(1);

    Node(String name, String address, Path log, List<String> jvmOptions) throws IOException {
      this.address = address;
      this.log = Files.newOutputStream(log);
      input.connect(toContainer);
      output.connect(fromContainer);
      List<String> command = new ArrayList<>(jvmOptions);
      command.add("-D" + NodeHandle.IDENTITY + "=" + identity);
      command.add("io.canopygrid.soak.cluster.NodeProcess");
      command.add(name);
      String bound = directory.toString();
      this.container =
          new GenericContainer<>(DockerImageName.parse(IMAGE))
              .withCommand(command.toArray(String[]::new))
              .withCreateContainerCmdModifier(create -> {
                create.withStdinOpen(true).withStdInOnce(true).withTty(false);
                create.withIpv4Address(address);
                HostConfig host =
                    create.getHostConfig() == null ? new HostConfig() : create.getHostConfig();
                create.withHostConfig(
                    host.withNetworkMode(network).withBinds(Bind.parse(bound + ":" + bound)));
              });
    }

    void attach() {
      container.start();
      docker
          .attachContainerCmd(id())
          .withStdIn(toContainer)
          .withStdOut(true)
          .withStdErr(true)
          .withFollowStream(true)
          .withLogs(true)
          .exec(new Callback());
    }

    String id() {
      return container.getContainerId();
    }

    @Override
    public OutputStream input() {
      return input;
    }

    @Override
    public InputStream output() {
      return output;
    }

    @Override
    public void kill() {
      docker.killContainerCmd(id()).exec();
    }

    @Override
    public void pause() {
      // A freezer of the kernel's that does not get all threads at once gives up.
      Unreliables.retryUntilSuccess(10, TimeUnit.SECONDS, docker.pauseContainerCmd(id())::exec);
    }

    @Override
    public void resume() {
      docker.unpauseContainerCmd(id()).exec();
    }

    @Override
    public boolean await(Duration limit) throws InterruptedException {
      return ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Sorts what the container writes. */
    private final class Callback extends ResultCallback.Adapter<Frame> {
      @Override
      public void onNext(Frame frame) {
        try {
          OutputStream target = frame.getStreamType() == StreamType.STDERR ? log : fromContainer;
          target.write(frame.getPayload());
          target.flush();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void onComplete() {
        end();
        super.onComplete();
      }

      @Override
      public void onError(Throwable error) {
        end();
        super.onError(error);
      }

      private void end() {
        try {
          fromContainer.close();
          log.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        } finally {
          ended.countDown();
        }
      }
    }
  }
}
