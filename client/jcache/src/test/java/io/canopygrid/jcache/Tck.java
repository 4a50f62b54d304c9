package io.canopygrid.jcache;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.jsr107.tck.CacheTest;
import org.junit.runner.Description;
import org.junit.runner.Request;

/** The tests of JSR 107's Technology Compatibility Kit, which are of JUnit 4. */
final class Tck {
  /**
   * The reasons of what is left out, by {@code class#method}, {@code class#*} or {@code package.*}.
   */
  static final Map<String, String> EXCLUDED = excluded();

  private Tck() {}

  /** The classes, by their names. */
  static List<Class<?>> classes() throws Exception {
    Path jar = Path.of(CacheTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile open = new JarFile(jar.toFile())) {
      return open.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith("Test.class") && !name.contains("Abstract"))
          .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .<Class<?>>map(Tck::load)
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The tests of a class; one that is run with several parameters is several. */
  static List<Description> tests(Class<?> of) {
    return leaves(Request.aClass(of).getRunner().getDescription()).toList();
  }

  private static Stream<Description> leaves(Description of) {
    return of.isTest() ? Stream.of(of) : of.getChildren().stream().flatMap(Tck::leaves);
  }

  /** Why a test is left out; null: it is not. */
  static @Nullable String reason(Class<?> of, Description test) {
    for (String name : List.of(of.getPackageName() + ".*", of.getName() + "#*", nameOf(of, test))) {
      String reason = EXCLUDED.get(name);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  /** A class as the page names it. */
  static String shortName(Class<?> one) {
    return one.getName().replaceFirst("^org\\.jsr107\\.tck\\.", "");
  }

  static String nameOf(Class<?> of, Description test) {
    return of.getName() + "#" + test.getMethodName();
  }

  private static Map<String, String> excluded() {
    Map<String, String> excluded = new TreeMap<>();
    try (InputStream in = Tck.class.getResourceAsStream("/tck/excluded.txt")) {
      new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .forEach(line -> {
            String[] parts = line.split(" *\\| *", 2);
            excluded.put(parts[0], parts[1]);
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Collections.unmodifiableMap(excluded);
  }
}
