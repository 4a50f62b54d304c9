package io.canopygrid.server.shell;

import io.canopygrid.pem.CertificateMaker;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy cert}: makes certificates for trying TLS, and the identity of a cluster. */
@Command(name = "cert", description = "Make certificates.")
public final class CertCommand {
  private static final int DAYS_MAX = 36_500;
  private static final List<String> VALIDITY = List.of("-validity", "90");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** For picocli. */
  public CertCommand() {}

  @Command(
      name = "dev",
      description = {
        "Write cert.pem and key.pem, valid for 90 days, and ca.pem, the authority that signed"
            + " them.",
        "Servers get the first two (--tls-cert, --tls-key), clients trust the last one (--trust)."
      })
  int dev(
      @Parameters(paramLabel = "DIRECTORY", description = "Where to write them.") Path directory,
      @Option(
              names = "--host",
              paramLabel = "HOST",
              split = ",",
              defaultValue = "localhost,127.0.0.1",
              description = "Names and addresses of the servers (localhost,127.0.0.1).")
          List<String> hosts) {
    CertificateMaker.writeForServer(directory, hosts, VALIDITY);
    for (String file : List.of("cert.pem", "key.pem", "ca.pem")) {
      spec.commandLine().getOut().println(directory.resolve(file));
    }
    spec.commandLine().getOut().flush();
    return 0;
  }

  @Command(
      name = "cluster",
      description = {
        "Write the identity by which the nodes of a cluster know each other: one file with a key,"
            + " its certificate and its authority's.",
        "Copy it to all nodes of the cluster (--cluster-identity, cluster.identity), and keep it"
            + " secret: who has it is let in as a node."
      })
  int cluster(
      @Parameters(paramLabel = "FILE", description = "Where to write it; it must not be there yet.")
          Path file,
      @Option(
              names = "--days",
              paramLabel = "DAYS",
              defaultValue = "3650",
              description = "For how long it is valid (3650).")
          int days) {
    if (days < 1 || days > DAYS_MAX) {
      throw new ParameterException(
          spec.commandLine(), "--days must be from 1 to " + DAYS_MAX + ": " + days);
    }
    CertificateMaker.writeForCluster(file, days);
    spec.commandLine().getOut().println(file);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
