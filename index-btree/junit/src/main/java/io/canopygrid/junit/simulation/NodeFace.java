package io.canopygrid.junit.simulation;

import io.canopygrid.Canopy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A node's handle as one client sees it: each call is a step of the client's, before which others
 * may come, and none returns when the node has died.
 */
final class NodeFace implements InvocationHandler {
  private final Canopy handle;
  private final Steps steps;

  private NodeFace(Canopy handle, Steps steps) {
    this.handle = handle;
    this.steps = steps;
  }

  /** The client's side. */
  interface Steps {
    /** A call begins. */
    void begins(String method);

    /**
     * A call has ended.
     *
     * @param failure null: it returned
     * @throws NodeLost where the node has died meanwhile
     */
    void ended(String method, @Nullable Throwable failure);
  }

  static Canopy of(Canopy handle, Steps steps) {
    return (Canopy)
        Proxy.newProxyInstance(
            Canopy.class.getClassLoader(),
            new Class<?>[] {Canopy.class},
            new NodeFace(handle, steps));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    String name = method.getName();
    switch (name) {
      case "equals" -> {
        return given != null && given[0] != null && isFace(given[0]);
      }
      case "close" -> {
        return null;
      }
      case "hashCode", "toString" -> {
        return method.invoke(handle, given);
      }
      default -> {
        return step(method, given);
      }
    }
  }

  private boolean isFace(Object other) {
    return Proxy.isProxyClass(other.getClass()) && equals(Proxy.getInvocationHandler(other));
  }

  private @Nullable Object step(Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    String name = method.getName();
    steps.begins(name);
    try {
      Object result = method.invoke(handle, given);
      steps.ended(name, null);
      return result;
    } catch (InvocationTargetException e) {
      Throwable failure = e.getCause() == null ? e : e.getCause();
      if (failure instanceof Exception || failure instanceof AssertionError) {
        steps.ended(name, failure);
      }
      throw failure;
    }
  }
}
