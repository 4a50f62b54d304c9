package io.canopygrid.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.micrometer.CanopyMetrics;
import io.canopygrid.spring.CanopyTemplate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application as a client of a server, with health and metrics. */
final class RemoteTest {
  private static final Server SERVER = new Server();

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  CanopyAutoConfiguration.class,
                  CanopyHealthAutoConfiguration.class,
                  CanopyMetricsAutoConfiguration.class));

  @AfterAll
  static void close() {
    SERVER.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "canopy://%s", "127.0.0.1:1,%s", "canopy://127.0.0.1:1,%s"})
  void serversAreAddressesOrAUri(String servers) {
    runner
        .withPropertyValues("canopy.servers=" + servers.formatted(SERVER.address()))
        .run(context -> {
          Canopy canopy = context.getBean(Canopy.class);
          assertThat(canopy).isInstanceOf(RemoteCanopy.class);
          Index<Long, String> names = canopy.index("names", Codec.int64(), Codec.string());
          context.getBean(CanopyTemplate.class).run(tx -> tx.on(names).put(1L, "Ada"));
          String name = canopy.read(tx -> Objects.requireNonNull(tx.on(names).get(1L)));
          assertThat(name).isEqualTo("Ada");
        });
  }

  @Test
  void healthIsThatOfTheServer() {
    runner
        .withPropertyValues("canopy.servers=" + SERVER.address())
        .run(context -> {
          Canopy canopy = context.getBean(Canopy.class);
          HealthIndicator health = context.getBean("canopyHealthIndicator", HealthIndicator.class);
          assertThat(health.health().getStatus()).isEqualTo(Status.UP);
          assertThat(health.health().getDetails())
              .containsEntry("grid", canopy.grid().id().toString());
          canopy.close();
          Health down = health.health();
          assertThat(down.getStatus()).isEqualTo(Status.DOWN);
          assertThat(String.valueOf(down.getDetails().get("error"))).contains("CNPY-4006");
        });
  }

  @Test
  void healthOfANodeIsThatOfItsOwnCopy() {
    runner
        .withPropertyValues("canopy.mode=standalone")
        .run(context -> {
          HealthIndicator health = context.getBean("canopyHealthIndicator", HealthIndicator.class);
          assertThat(health.health().getDetails()).containsEntry("members", 1);
          context.getBean(Canopy.class).close();
          assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        });
  }

  @Test
  void metricsAreTheCountsOfTheHandle() {
    runner
        .withPropertyValues("canopy.servers=" + SERVER.address())
        .run(context -> {
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          context.getBean(CanopyMetrics.class).bindTo(registry);
          Canopy canopy = context.getBean(Canopy.class);
          Index<Long, String> names = canopy.index("names", Codec.int64(), Codec.string());
          double before = registry.get("canopy.transactions.commits").functionCounter().count();
          canopy.run(tx -> tx.on(names).put(2L, "Grace"));
          assertThat(registry.get("canopy.transactions.commits").functionCounter().count())
              .isEqualTo(before + 1);
          assertThat(
                  registry
                      .get("canopy.transactions.aborts")
                      .tag("code", "CNPY-2001")
                      .functionCounter()
                      .count())
              .isZero();
        });
  }

  @Test
  void withoutActuatorAndMicrometerThereIsNeither() {
    runner
        .withClassLoader(
            new FilteredClassLoader("io.micrometer", "org.springframework.boot.actuate"))
        .withPropertyValues("canopy.mode=standalone")
        .run(context -> {
          assertThat(context).hasNotFailed();
          assertThat(context).doesNotHaveBean("canopyHealthIndicator");
          assertThat(context).doesNotHaveBean("canopyMetrics");
        });
    runner
        .withPropertyValues("canopy.mode=standalone", "management.health.canopy.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("canopyHealthIndicator"));
  }
}
