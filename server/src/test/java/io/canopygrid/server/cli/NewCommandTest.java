package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import io.canopygrid.server.release.Release;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code canopy new}; {@code .ci/install} builds and runs what it makes. */
final class NewCommandTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void theProjectHasTheNamesThatWereGiven() throws IOException {
    Path shop = directory.resolve("my-shop");
    CommandRun made = CommandRun.of("new", shop.toString(), "--package", "com.example.shop");

    assertThat(made.exitCode()).as(made.err()).isZero();
    assertThat(files(shop))
        .hasSize(8)
        .allSatisfy(file -> assertThat(made.out()).contains(file.toString()))
        .allSatisfy(
            file -> assertThat(Files.readString(file)).doesNotContainPattern("\\{[a-z]+\\}"));
    assertThat(Files.readString(shop.resolve("pom.xml")))
        .contains(
            "<groupId>com.example.shop</groupId>",
            "<artifactId>my-shop</artifactId>",
            "<version>" + Release.version() + "</version>");
    Path sources = shop.resolve("src/main/java/com/example/shop");
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-Werror",
                    "-proc:none",
                    "-d",
                    directory.resolve("classes").toString(),
                    sources.resolve("Orders.java").toString(),
                    sources.resolve("Shop.java").toString()))
        .isZero();
  }

  @Test
  void aPackageFollowsTheName() throws IOException {
    Path shop = directory.resolve("my-shop");
    assertThat(CommandRun.of("new", shop.toString()).exitCode()).isZero();
    assertThat(shop.resolve("src/test/java/myshop/OrdersTest.java"))
        .content()
        .startsWith("package myshop;");
  }

  @ParameterizedTest
  @CsvSource({
    "Größe, shop, a to z",
    "a_b, shop, a to z",
    "shop, com.example., is no name of a package",
    "shop, com.class, is no name of a package",
    "class, , is no name of a package"
  })
  void namesThatNobodyTakesAreRefused(String name, String packageName, String why) {
    String target = directory.resolve(name).toString();
    CommandRun made =
        packageName == null
            ? CommandRun.of("new", target)
            : CommandRun.of("new", target, "--package", packageName);
    assertThat(made.exitCode()).isNotZero();
    assertThat(made.err()).contains(ErrorCode.INVALID_ARGUMENT.id(), why);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void filesThatAreThereStay() throws IOException {
    Path shop = Files.createDirectory(directory.resolve("shop"));
    Path mine = Files.writeString(shop.resolve("pom.xml"), "mine");
    Path file = Files.writeString(directory.resolve("taken"), "mine, too");
    for (Path target : List.of(shop, file)) {
      CommandRun made = CommandRun.of("new", target.toString());
      assertThat(made.exitCode()).isNotZero();
      assertThat(made.err()).contains(ErrorCode.INVALID_ARGUMENT.id(), target.toString());
    }
    assertThat(mine).hasContent("mine");
    assertThat(file).hasContent("mine, too");
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
