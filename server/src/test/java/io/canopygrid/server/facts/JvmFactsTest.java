package io.canopygrid.server.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Facts of this JVM. */
final class JvmFactsTest {
  @Test
  void valuesOfPropertiesAreHidden() {
    assertThat(
            JvmFacts.options(
                List.of(
                    "-Xmx1g", "-Djavax.net.ssl.keyStorePassword=a=b", "-Dflag", "--add-opens=a")))
        .containsExactly(
            "-Xmx1g", "-Djavax.net.ssl.keyStorePassword=(hidden)", "-Dflag", "--add-opens=a");
  }

  @Test
  void tellsOfReleaseMachineAndThreads() {
    assertThat(JvmFacts.all())
        .containsKeys("java", "os", "processors", "heapMaxBytes", "collectors")
        .containsEntry("java", Runtime.version().toString());
    assertThat(JvmFacts.threads())
        .anySatisfy(thread ->
            assertThat(thread)
                .startsWith("\"" + Thread.currentThread().getName() + "\" id=")
                .contains("RUNNABLE", "tellsOfReleaseMachineAndThreads"));
  }
}
