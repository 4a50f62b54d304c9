package io.canopygrid.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.eclipse.packager.rpm.FileFlags;
import org.eclipse.packager.rpm.RpmTag;
import org.eclipse.packager.rpm.RpmTagValue;
import org.eclipse.packager.rpm.parse.InputHeader;
import org.eclipse.packager.rpm.parse.RpmInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads RPM's package, without the tool of that name. */
final class RpmIT {
  private static final Instant TIME_OF_THE_SOURCES = Instant.parse("2026-11-01T00:00:00Z");
  private static final int TEXT_BYTES_MAX = 1 << 16;
  private static final Map<String, Entry> ENTRIES = new HashMap<>();
  private static final List<String> REQUIREMENTS = new ArrayList<>();
  private static final Map<RpmTag, String> SCRIPTS = new HashMap<>();

  /** One file, directory or link of the package. */
  private record Entry(
      String owner, String mode, Set<FileFlags> flags, Instant time, String content) {}

  @BeforeAll
  static void read() throws IOException {
    try (RpmInputStream in =
        new RpmInputStream(
            new BufferedInputStream(Files.newInputStream(Built.endingWith(".noarch.rpm"))))) {
      InputHeader<RpmTag> header = in.getPayloadHeader();
      REQUIREMENTS.addAll(strings(header, RpmTag.REQUIRE_NAME));
      for (RpmTag script :
          List.of(
              RpmTag.PREINSTALL_SCRIPT,
              RpmTag.POSTINSTALL_SCRIPT,
              RpmTag.PREREMOVE_SCRIPT,
              RpmTag.POSTREMOVE_SCRIPT,
              RpmTag.POSTTRANSACTION_SCRIPT)) {
        SCRIPTS.put(script, value(header, script).asString().orElseThrow());
      }
      Map<String, Integer> numbers = numbers(header);
      List<String> users = strings(header, RpmTag.FILE_USERNAME);
      List<String> groups = strings(header, RpmTag.FILE_GROUPNAME);
      List<Integer> flags = integers(header, RpmTag.FILE_FLAGS);
      CpioArchiveInputStream payload = in.getCpioStream();
      for (CpioArchiveEntry entry = payload.getNextEntry();
          entry != null;
          entry = payload.getNextEntry()) {
        String path = entry.getName().substring(1);
        int number = numbers.getOrDefault(path, -1);
        ENTRIES.put(
            path,
            new Entry(
                users.get(number) + ":" + groups.get(number),
                Long.toString(entry.getMode(), 8),
                FileFlags.decode(flags.get(number)),
                entry.getLastModifiedDate().toInstant(),
                entry.getSize() < TEXT_BYTES_MAX ? new String(payload.readAllBytes(), UTF_8) : ""));
      }
      assertThat(ENTRIES).hasSameSizeAs(numbers);
    }
  }

  /** The place of each path in the lists of the header, whose order is not that of the payload. */
  private static Map<String, Integer> numbers(InputHeader<RpmTag> header) {
    List<String> names = strings(header, RpmTag.BASENAMES);
    List<String> directories = strings(header, RpmTag.DIRNAMES);
    List<Integer> directoryOf = integers(header, RpmTag.DIR_INDEXES);
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      numbers.put(directories.get(directoryOf.get(i)) + names.get(i), i);
    }
    return numbers;
  }

  private static List<Integer> integers(InputHeader<RpmTag> header, RpmTag tag) {
    return List.of(value(header, tag).asIntegerArray().orElseThrow());
  }

  private static RpmTagValue value(InputHeader<RpmTag> header, RpmTag tag) {
    return new RpmTagValue(header.getTag(tag));
  }

  private static List<String> strings(InputHeader<RpmTag> header, RpmTag tag) {
    return List.of(value(header, tag).asStringArray().orElseThrow());
  }

  private static Entry entry(String path) {
    Entry entry = ENTRIES.get(path);
    assertThat(entry).as(path).isNotNull();
    return entry;
  }

  @Test
  void filesBelongToWhoeverNeedsThem() {
    assertThat(entry("/etc/canopy").owner()).isEqualTo("root:canopy");
    assertThat(entry("/etc/canopy").mode()).isEqualTo("40750");
    assertThat(entry("/var/lib/canopy").owner()).isEqualTo("canopy:canopy");
    assertThat(entry("/var/lib/canopy").mode()).isEqualTo("40700");
    assertThat(entry("/usr/share/canopy/bin/canopy").mode()).isEqualTo("100755");
    assertThat(entry("/usr/bin/canopy").mode()).isEqualTo("120777");
    assertThat(entry("/usr/bin/canopy").content()).isEqualTo("../share/canopy/bin/canopy");
    assertThat(ENTRIES)
        .allSatisfy((path, entry) -> {
          assertThat(entry.time()).isEqualTo(TIME_OF_THE_SOURCES);
          if (path.startsWith("/usr")) {
            assertThat(entry.owner()).isEqualTo("root:root");
          }
        });
  }

  @Test
  void theConfigurationIsMarkedSoThatAnUpgradeKeepsIt() {
    for (String file : List.of("canopy.yaml", "canopy.env")) {
      Entry entry = entry("/etc/canopy/" + file);
      assertThat(entry.owner()).isEqualTo("root:canopy");
      assertThat(entry.mode()).isEqualTo("100640");
      assertThat(entry.flags())
          .containsExactlyInAnyOrder(FileFlags.CONFIGURATION, FileFlags.NOREPLACE);
    }
    assertThat(entry("/etc/canopy/canopy.yaml").content())
        .contains("  directory: /var/lib/canopy\n");
  }

  @Test
  void theUnitStartsWhatIsInstalled() {
    assertThat(entry("/usr/lib/systemd/system/canopy.service").content())
        .contains("ExecStart=/usr/bin/canopy server --config /etc/canopy/canopy.yaml")
        .contains("Documentation=file:///usr/share/doc/canopy/operate/operations.md");
    assertThat(ENTRIES)
        .containsKeys(
            "/usr/share/doc/canopy/operate/operations.md",
            "/usr/share/man/man1/canopy.1.gz",
            "/usr/share/bash-completion/completions/canopy",
            "/usr/share/licenses/canopy/LICENSE");
  }

  @Test
  void theLibrariesAndPagesAreThoseOfTheArchive() throws IOException {
    List<String> inArchive = new ArrayList<>();
    try (InputStream file = Files.newInputStream(Built.endingWith(".tar.gz"));
        TarArchiveInputStream archive = new TarArchiveInputStream(new GZIPInputStream(file))) {
      for (TarArchiveEntry entry = archive.getNextEntry();
          entry != null;
          entry = archive.getNextEntry()) {
        String path = entry.getName().substring(entry.getName().indexOf('/'));
        if (entry.isFile() && path.startsWith("/lib/")) {
          inArchive.add("/usr/share/canopy" + path);
        } else if (entry.isFile() && path.startsWith("/docs/")) {
          inArchive.add("/usr/share/doc/canopy/" + path.substring("/docs/".length()));
        }
      }
    }

    assertThat(ENTRIES.keySet())
        .filteredOn(path -> path.matches("/usr/share/(canopy/lib|doc/canopy)/.*"))
        .filteredOn(path -> entry(path).mode().startsWith("100"))
        .filteredOn(path -> !path.endsWith("/CHANGELOG.md"))
        .containsExactlyInAnyOrderElementsOf(inArchive);
  }

  @Test
  void itNeedsAnyJavaFrom17OnAndWhatItsScriptsCall() {
    assertThat(REQUIREMENTS)
        .contains(
            "(java-headless >= 1:17 or java-17-headless or java-21-headless or java-25-headless)",
            "bash",
            "/usr/sbin/useradd",
            "/usr/sbin/groupadd",
            "/usr/bin/getent");
  }

  /** The scripts of an upgrade and of a removal have no command that removes what is the user's. */
  @Test
  void noScriptDeletesDataOrConfiguration() {
    assertThat(SCRIPTS.values())
        .allSatisfy(script ->
            assertThat(script).doesNotContain("rm -r", "userdel", "/var/lib/canopy/", "/etc"));
    assertThat(SCRIPTS.get(RpmTag.POSTINSTALL_SCRIPT)).contains("systemctl daemon-reload");
    assertThat(SCRIPTS.get(RpmTag.POSTREMOVE_SCRIPT)).contains("systemctl daemon-reload");
    assertThat(SCRIPTS.get(RpmTag.PREREMOVE_SCRIPT)).contains("if [ \"$1\" -eq 0 ]");
  }
}
