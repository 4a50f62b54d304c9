package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProfileTest {
  @TempDir Path directory = Path.of("");

  @Test
  void aProfileSaysHowToConnect() throws IOException {
    Path file =
        profiles(
            """
            shop:
              url: canopys://vm1,vm2
              trust: ca.pem
              user: ada
              passwordFile: /etc/canopy/ada
            home: {url: "canopy://127.0.0.1"}
            """);

    assertThat(Profile.read(file, "shop"))
        .isEqualTo(
            new Profile(
                "canopys://vm1,vm2",
                file.resolveSibling("ca.pem"),
                "ada",
                Path.of("/etc/canopy/ada")));
    assertThat(Profile.read(file, "home"))
        .isEqualTo(new Profile("canopy://127.0.0.1", null, null, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shp | shop: {url: a} | there is no profile 'shp', did you mean 'shop'?",
        "shop | shop: {ulr: a} | unknown name 'ulr' of profile 'shop', did you mean 'url'?",
        "shop | shop: {password: a} | unknown name 'password' of profile 'shop'",
        "shop | shop: {url: 1} | must be a text",
        "shop | shop: a | must be names and values",
        "shop | [shop] | names of profiles are expected",
        "shop | {shop: {user: a, user: b}} | is not understood",
      })
  void whatIsWrongIsTold(String name, String text, String told) throws IOException {
    Path file = profiles(text);

    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> Profile.read(file, name))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .withMessageContaining(file.toString())
        .withMessageContaining(told);
  }

  @Test
  void theFileIsThePersonsOwn() {
    assertThat(Profile.file(Map.of(), "/home/ada"))
        .isEqualTo(Path.of("/home/ada/.config/canopy/profiles.yaml"));
    assertThat(Profile.file(Map.of("XDG_CONFIG_HOME", "/conf"), "/home/ada"))
        .isEqualTo(Path.of("/conf/canopy/profiles.yaml"));
  }

  private Path profiles(String text) throws IOException {
    return Files.writeString(directory.resolve("profiles.yaml"), text);
  }
}
