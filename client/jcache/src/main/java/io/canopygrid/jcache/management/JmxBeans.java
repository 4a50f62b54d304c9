package io.canopygrid.jcache.management;

import java.lang.management.ManagementFactory;
import java.net.URI;
import javax.cache.CacheException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The beans of caches at the JVM's MBean server, by the names that JCache gives them. Of two caches
 * of one name and URI, which have different class loaders, the first one's is shown.
 */
public final class JmxBeans {
  /** The bean of the configuration. */
  public static final String CONFIGURATION = "CacheConfiguration";

  /** The bean of the statistics. */
  public static final String STATISTICS = "CacheStatistics";

  private JmxBeans() {}

  /** Shows a bean, unless one of that name is shown. */
  public static void show(Object bean, String type, URI manager, String cache) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      server.registerMBean(bean, name(type, manager, cache));
    } catch (InstanceAlreadyExistsException e) {
      return; // see above
    } catch (JMException e) {
      throw new CacheException("cache '" + cache + "' has no bean " + type + ": " + e, e);
    }
  }

  /** Takes a bean away, if it is shown. */
  public static void hide(String type, URI manager, String cache) {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name(type, manager, cache));
    } catch (InstanceNotFoundException e) {
      return; // as it should be
    } catch (JMException e) {
      throw new CacheException("cache '" + cache + "' keeps its bean " + type + ": " + e, e);
    }
  }

  private static ObjectName name(String type, URI manager, String cache) throws JMException {
    return new ObjectName(
        "javax.cache:type="
            + type
            + ",CacheManager="
            + safe(withoutUser(manager))
            + ",Cache="
            + safe(cache));
  }

  /** Names of beans are seen by many, and a password must not be. */
  private static String withoutUser(URI uri) {
    String text = uri.toString();
    int at = text.lastIndexOf('@');
    int begin = text.indexOf("://");
    return at < 0 || begin < 0 ? text : text.substring(0, begin + 3) + text.substring(at + 1);
  }

  private static String safe(String text) {
    return text.replaceAll("[,:=\n*?]", ".");
  }
}
