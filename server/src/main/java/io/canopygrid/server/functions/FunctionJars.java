package io.canopygrid.server.functions;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.FunctionProvider;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads functions from the {@link FunctionProvider}s on the class path and in a directory: in its
 * jars, and in class files below it.
 */
public final class FunctionJars {
  private static final Logger LOG = LoggerFactory.getLogger(FunctionJars.class);

  private FunctionJars() {}

  /**
   * Loads the providers.
   *
   * @param directory null: only the class path has functions
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} where the directory cannot be read or
   *     a provider does not load
   */
  public static List<FunctionProvider> load(@Nullable Path directory) {
    ClassLoader own = FunctionJars.class.getClassLoader();
    ClassLoader loader =
        directory == null ? own : new URLClassLoader(urls(directory).toArray(new URL[0]), own);
    try {
      List<FunctionProvider> providers = new ArrayList<>();
      ServiceLoader.load(FunctionProvider.class, loader).forEach(providers::add);
      return providers;
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID, "functions cannot be loaded: " + e.getMessage(), e);
    }
  }

  /**
   * Registers all functions at a node.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} where a provider fails; as {@link
   *     Canopy#register}
   */
  public static void register(Canopy node, List<FunctionProvider> providers) {
    try {
      for (FunctionProvider provider : providers) {
        provider.functions().forEach(node::register);
        LOG.info("functions of {}: {}", provider.getClass(), provider.functions().keySet());
      }
    } catch (LinkageError e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID, "functions cannot be loaded: " + e.getMessage(), e);
    }
  }

  private static List<URL> urls(Path directory) {
    List<URL> urls = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      urls.add(directory.toUri().toURL());
      for (Path file : files.filter(path -> path.toString().endsWith(".jar")).sorted().toList()) {
        urls.add(file.toUri().toURL());
      }
    } catch (MalformedURLException e) {
      throw new CanopyException(ErrorCode.CONFIG_INVALID, "not a directory: " + directory, e);
    } catch (IOException e) {
      throw new CanopyException(
          ErrorCode.CONFIG_INVALID,
          "the directory of functions '" + directory + "' cannot be read",
          e);
    }
    return urls;
  }
}
