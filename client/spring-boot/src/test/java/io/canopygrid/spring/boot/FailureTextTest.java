package io.canopygrid.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** The words that a developer sees when an application does not start. */
@ExtendWith(OutputCaptureExtension.class)
final class FailureTextTest {
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(CanopyAutoConfiguration.class)
  static class Application {}

  private static void start(String... properties) {
    SpringApplication application = new SpringApplication(Application.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    List<String> arguments = new ArrayList<>();
    for (String property : properties) {
      arguments.add("--" + property);
    }
    Throwable failure =
        catchThrowable(() -> application.run(arguments.toArray(String[]::new)).close());
    assertThat(failure).isNotNull();
  }

  @Test
  void aSettingOutOfItsRange(CapturedOutput output) {
    start("canopy.mode=embedded", "canopy.cluster.name=a", "canopy.cluster.owners=9");
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains(
            "CNPY-5001 CONFIG_INVALID (canopy.cluster.owners): owners must be from 1 to 8:"
                + " owners=9.")
        .contains("See the property canopy.cluster.owners. Correct the configuration")
        .doesNotContain("\tat ");
  }

  @Test
  void aSettingOfAnotherType(CapturedOutput output) {
    start("canopy.mode=everywhere");
    assertThat(output)
        .contains(
            "CNPY-5001 CONFIG_INVALID (canopy.mode): it must be one of [REMOTE, EMBEDDED,"
                + " STANDALONE]: 'everywhere', from")
        .doesNotContain("\tat ");
  }

  @Test
  void aSettingThatThereIsNot(CapturedOutput output) {
    start("canopy.mode=standalone", "canopy.cluster.ownres=2");
    assertThat(output)
        .contains(
            "CNPY-5001 CONFIG_INVALID (canopy.cluster.ownres): there is no such property: '2',"
                + " from")
        .doesNotContain("\tat ");
  }

  @Test
  void aServerThatIsNotThere(CapturedOutput output) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    start("canopy.servers=127.0.0.1:" + port, "canopy.connect-timeout=1s");
    assertThat(output)
        .contains("CNPY-4002 NOT_CONNECTED (canopy.servers or canopy.cluster.members): ")
        .contains("127.0.0.1:" + port)
        .contains("Check that the cluster runs and its address can be reached.")
        .doesNotContain("\tat ");
  }
}
