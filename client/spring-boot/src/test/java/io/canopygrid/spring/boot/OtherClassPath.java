package io.canopygrid.spring.boot;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The classes of this JVM once more, with other libraries or without a class. */
final class OtherClassPath extends URLClassLoader {
  /** Of Surefire, where a jar that names it is all that the JVM has. */
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  private final String missing;

  private OtherClassPath(List<URL> urls, String missing) {
    super(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    this.missing = missing;
  }

  /** With the jars of a directory in the place of those whose names begin with a prefix. */
  static OtherClassPath with(Path jars, String insteadOf) throws IOException {
    List<URL> urls = new ArrayList<>();
    try (Stream<Path> all = Files.list(jars)) {
      for (Path jar : all.toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    for (Path entry : entries()) {
      if (!entry.getFileName().toString().startsWith(insteadOf)) {
        urls.add(entry.toUri().toURL());
      }
    }
    return new OtherClassPath(urls, "");
  }

  /** Without a class. */
  static OtherClassPath without(String missing) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path entry : entries()) {
      urls.add(entry.toUri().toURL());
    }
    return new OtherClassPath(urls, missing);
  }

  private static List<Path> entries() {
    return Stream.of(CLASS_PATH.split(File.pathSeparator, -1)).map(Path::of).toList();
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (name.equals(missing)) {
      throw new ClassNotFoundException(name);
    }
    return super.findClass(name);
  }

  /** The result of a program's method {@code run} with these classes. */
  String run(Class<?> program, String argument) throws Exception {
    Class<?> here = Class.forName(program.getName(), true, this);
    return String.valueOf(here.getMethod("run", String.class).invoke(null, argument));
  }
}
