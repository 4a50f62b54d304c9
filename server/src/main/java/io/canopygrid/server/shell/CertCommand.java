package io.canopygrid.server.shell;

import io.canopygrid.server.security.DevCertificate;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code canopy cert}: makes certificates for trying TLS. */
@Command(name = "cert", description = "Make certificates.")
public final class CertCommand {
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
    DevCertificate.write(directory, hosts, VALIDITY);
    for (String file : List.of("cert.pem", "key.pem", "ca.pem")) {
      spec.commandLine().getOut().println(directory.resolve(file));
    }
    spec.commandLine().getOut().flush();
    return 0;
  }
}
