package io.canopygrid.server.cli;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.server.security.PemTls;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code canopy server}: one node, until it is asked to stop. */
@Command(
    name = "server",
    description = {
      "Start one node of a cluster and run it until SIGTERM or Ctrl-C, when it leaves in order.",
      "It prints READY, its cluster, its address and that for clients as soon as it is a member."
    },
    footer = {
      "",
      "Example, three nodes on one machine:",
      "  canopy server --port 7801 &",
      "  canopy server --port 7802 --join 127.0.0.1:7801 &",
      "  canopy server --port 7803 --join 127.0.0.1:7801,127.0.0.1:7802"
    })
final class ServerCommand implements Callable<Integer> {
  private static final String DEFAULT_NAME = "canopy";

  @Option(
      names = "--name",
      paramLabel = "CLUSTER",
      description = "Name of the cluster (" + DEFAULT_NAME + ").")
  private @Nullable String name;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Local address to listen on (127.0.0.1, which only this machine reaches).")
  private @Nullable String bind;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "TCP port to listen on (" + ClusterConfig.DEFAULT_PORT + ").")
  private @Nullable Integer port;

  @Option(
      names = "--join",
      paramLabel = "HOST:PORT",
      split = ",",
      description =
          "Nodes to look for the cluster at, in a list with commas (none: a new cluster).")
  private @Nullable List<String> join;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "JSON file with the settings of ClusterConfig; options win over it.")
  private @Nullable Path config;

  @Option(
      names = "--client-bind",
      paramLabel = "ADDRESS",
      description =
          "Local address for clients (127.0.0.1, which only this machine reaches); on any other they"
              + " must say who they are.")
  private @Nullable String clientBind;

  @Option(
      names = "--client-port",
      paramLabel = "PORT",
      description = "TCP port for clients (the first free one from 11444 on).")
  private @Nullable Integer clientPort;

  @Option(
      names = "--client-address",
      paramLabel = "HOST:PORT",
      description = "Where clients reach this node, if not at that address and port.")
  private @Nullable String clientAddress;

  @Option(
      names = "--open-to-all",
      description =
          "Let everybody who reaches --client-bind do everything, also from other machines.")
  private boolean openToAll;

  @Option(
      names = "--authenticate",
      description = "Let clients say who they are on an address of this machine alone, too.")
  private boolean authenticate;

  @Option(
      names = "--admin-password-file",
      paramLabel = "FILE",
      description = "Password of user 'admin', who is added where the cluster has no users yet.")
  private @Nullable Path adminPassword;

  @Option(
      names = "--tls-cert",
      paramLabel = "PEM",
      description = "Certificate for clients, and those that have signed it: they must speak TLS.")
  private @Nullable Path tlsCertificates;

  @Option(
      names = "--tls-key",
      paramLabel = "PEM",
      description = "Its key, PKCS #8 without a password. Both files are read again on a change.")
  private @Nullable Path tlsKey;

  @Option(
      names = "--functions",
      paramLabel = "DIRECTORY",
      description =
          "Directory with jars of functions for clients to execute; those on the class path are"
              + " loaded in any case.")
  private @Nullable Path functions;

  @Option(
      names = "--attached",
      description =
          "Stop when standard input ends too, as it does when the process that started this one is"
              + " gone.")
  private boolean attached;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    ClientPort clients =
        new ClientPort(
            clientBind == null ? ClientPort.LOOPBACK : clientBind,
            clientPort,
            clientAddress == null ? "" : clientAddress,
            openToAll,
            authenticate,
            adminPassword,
            tls());
    return new NodeProcess(spec.commandLine().getOut(), functions).run(settings(), clients, attached);
  }

  private @Nullable PemTls tls() {
    if (tlsCertificates == null && tlsKey == null) {
      return null;
    }
    if (tlsCertificates == null || tlsKey == null) {
      throw new ParameterException(
          spec.commandLine(), "--tls-cert and --tls-key are given together");
    }
    return new PemTls(tlsCertificates, tlsKey);
  }

  private ClusterConfig settings() {
    ClusterConfig settings =
        config == null ? ClusterConfig.of(DEFAULT_NAME) : ClusterConfig.load(config);
    try {
      return withOptions(settings);
    } catch (CanopyException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ClusterConfig withOptions(ClusterConfig base) {
    ClusterConfig settings = base;
    if (name != null) {
      settings = settings.name(name);
    }
    if (bind != null) {
      settings = settings.bindAddress(bind);
    }
    if (port != null) {
      settings = settings.port(port);
    }
    return join == null ? settings : settings.members(join);
  }
}
