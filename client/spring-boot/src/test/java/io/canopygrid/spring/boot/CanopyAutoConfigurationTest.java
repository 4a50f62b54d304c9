package io.canopygrid.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.Isolation;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.config.ClusterSettings;
import io.canopygrid.config.Setting;
import io.canopygrid.spring.CanopyTemplate;
import io.canopygrid.spring.CanopyTransactionManager;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The beans that the settings make, and the settings that are refused. */
final class CanopyAutoConfigurationTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(CanopyAutoConfiguration.class));

  @Test
  void standaloneIsANodeThatIsClosedWithTheContext() {
    Canopy[] made = new Canopy[1];
    runner
        .withPropertyValues(
            "canopy.mode=standalone",
            "canopy.transaction.timeout=3s",
            "canopy.transaction.max-attempts=7",
            "canopy.transaction.isolation=serializable")
        .run(context -> {
          assertThat(context).hasSingleBean(Canopy.class);
          assertThat(context).doesNotHaveBean(CanopyTransactionManager.class);
          made[0] = context.getBean(Canopy.class);
          assertThat(made[0].indexes()).isEmpty();
          assertThat(context.getBean(CanopyTemplate.class).defaults())
              .isEqualTo(
                  TransactionOptions.DEFAULTS
                      .withTimeout(Duration.ofSeconds(3))
                      .withMaxAttempts(7)
                      .withIsolation(Isolation.SERIALIZABLE));
        });
    assertThatThrownBy(() -> Objects.requireNonNull(made[0]).grid())
        .extracting(e -> ((CanopyException) e).code())
        .isEqualTo(ErrorCode.CANOPY_CLOSED);
  }

  @Test
  void embeddedIsAMemberOfACluster() {
    runner
        .withPropertyValues(
            "canopy.mode=embedded",
            "canopy.cluster.name=spring",
            "canopy.cluster.port=0",
            "canopy.cluster.owners=1",
            "canopy.cluster.shards=8",
            "canopy.node.name=n1")
        .run(context -> {
          EmbeddedCanopy node = (EmbeddedCanopy) context.getBean(Canopy.class);
          assertThat(node.shards()).isEqualTo(9);
          assertThat(node.members()).isEqualTo(1);
        });
  }

  @Test
  void aHandleOfTheApplicationComesFirst() {
    try (Canopy own = EmbeddedCanopy.start()) {
      runner
          .withBean(Canopy.class, () -> own)
          .run(context -> {
            assertThat(context.getBean(Canopy.class)).isSameAs(own);
            assertThat(context.getBean(CanopyTemplate.class).canopy()).isSameAs(own);
          });
    }
  }

  @Test
  void aTransactionManagerIsThereIfItIsWanted() {
    runner
        .withPropertyValues("canopy.mode=standalone", "canopy.transaction-manager=true")
        .run(context -> assertThat(context).hasSingleBean(CanopyTransactionManager.class));
  }

  @Test
  void withoutANodesClassesTheArtifactIsNamed() {
    for (String mode : List.of("embedded", "standalone")) {
      runner
          .withClassLoader(new FilteredClassLoader("io.canopygrid.btree"))
          .withPropertyValues("canopy.mode=" + mode, "canopy.cluster.name=spring")
          .run(context ->
              assertThat(context)
                  .getFailure()
                  .rootCause()
                  .hasMessageContaining("needs io.canopygrid:canopy-index-btree"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          canopy.servers                  |                            | there is no server
          canopy.ping                     | canopy.servers=a canopy.ping=1ms | ping must be from PT1S
          canopy.cluster.name             | canopy.mode=embedded       | needs the name of the cluster
          canopy.cluster.name             | canopy.mode=embedded canopy.cluster.name=a/b | name must have
          canopy.cluster.owners           | canopy.mode=embedded canopy.cluster.name=a canopy.cluster.owners=9 | owners must be from 1 to 8
          canopy.cluster.state-bytes-per-second | canopy.mode=embedded canopy.cluster.name=a canopy.cluster.state-bytes-per-second=3GB | less than 2 GiB
          canopy.cluster.members          | canopy.mode=embedded canopy.cluster.name=a canopy.cluster.members=vm1:x | vm1:x
          canopy.data.durability          | canopy.mode=embedded canopy.cluster.name=a canopy.data.durability=fsync | without a dataDirectory
          canopy.balance                  | canopy.mode=embedded canopy.cluster.name=a canopy.balance.subtrees-per-node=0 | subtreesPerNode must be from 1
          canopy.transaction.max-attempts | canopy.mode=standalone canopy.transaction.max-attempts=0 | maxAttempts must be from 1
          """)
  void aWrongSettingIsNamed(String property, String given, String why) {
    runner
        .withPropertyValues(given == null ? new String[0] : given.split(" ", -1))
        .run(context -> {
          WrongSettingException wrong =
              Stream.iterate(
                      Objects.requireNonNull(context.getStartupFailure()),
                      Objects::nonNull,
                      Throwable::getCause)
                  .filter(WrongSettingException.class::isInstance)
                  .map(WrongSettingException.class::cast)
                  .findFirst()
                  .orElseThrow(() -> new AssertionError(context.getStartupFailure()));
          assertThat(wrong.property()).isEqualTo(property);
          assertThat(wrong.refusal().getMessage()).startsWith("CNPY-").contains(why);
        });
  }

  @Test
  void anUnknownSettingIsAnError() {
    runner
        .withPropertyValues("canopy.mode=standalone", "canopy.cluster.ownres=2")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(UnboundConfigurationPropertiesException.class)
                .hasMessageContaining("canopy.cluster.ownres"));
  }

  @Test
  void theSettingsOfANodeHaveTheNamesOfItsConfigurationFile() {
    List<String> ofFile =
        ClusterSettings.SCHEMA.settings().stream().map(Setting::path).sorted().toList();
    List<String> ofSpring =
        Stream.of(
                CanopyProperties.Cluster.class,
                CanopyProperties.Node.class,
                CanopyProperties.Data.class,
                CanopyProperties.Balance.class)
            .flatMap(section ->
                Arrays.stream(section.getRecordComponents())
                    .map(part ->
                        section.getSimpleName().toLowerCase(Locale.ROOT) + "." + part.getName()))
            .sorted()
            .toList();
    assertThat(ofSpring).isEqualTo(ofFile);
  }
}
