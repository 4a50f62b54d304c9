package io.canopygrid.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The client works with the Netty that Spring Boot 3.5 brings. */
final class Netty41Test {
  private static final Path NETTY41 = Path.of("target", "netty41");

  /** Of Surefire, where a jar that names it is all that the JVM has. */
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @Test
  void theClientReadsAndWritesWithNetty41() throws Exception {
    try (Server server = new Server();
        URLClassLoader classes =
            new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Class<?> client = Class.forName(Netty41Client.class.getName(), true, classes);
      String answer = (String) client.getMethod("run", String.class).invoke(null, server.address());

      assertThat(answer).isEqualTo("netty-transport-4.1.128.Final.jar Ada");
      assertThatThrownBy(() -> classes.loadClass("io.netty.channel.MultiThreadIoEventLoopGroup"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  /** This JVM's, with another Netty. */
  private static URL[] classPath() throws IOException {
    List<URL> urls = new ArrayList<>();
    try (Stream<Path> jars = Files.list(NETTY41)) {
      for (Path jar : jars.toList()) {
        urls.add(url(jar));
      }
    }
    for (String entry : CLASS_PATH.split(File.pathSeparator, -1)) {
      if (!Path.of(entry).getFileName().toString().startsWith("netty-")) {
        urls.add(url(Path.of(entry)));
      }
    }
    return urls.toArray(URL[]::new);
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }
}
