package io.canopygrid.it.contract;

import io.canopygrid.Canopy;
import io.canopygrid.ChangeFeed;
import io.canopygrid.Cursor;
import io.canopygrid.IndexStructure;
import io.canopygrid.IndexView;
import io.canopygrid.Loader;
import io.canopygrid.MutableView;
import io.canopygrid.ReadBody;
import io.canopygrid.ReadTransaction;
import io.canopygrid.ReadView;
import io.canopygrid.Table;
import io.canopygrid.TableReadView;
import io.canopygrid.TableView;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionBody;
import io.canopygrid.TransactionCall;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The record of which methods of the API's interfaces were called, through handles that it watches.
 */
final class CalledMethods {
  /**
   * The types of the handle and of the objects that it hands out; a subtype stands before its
   * supertype.
   */
  private static final List<Class<?>> WATCHED =
      List.of(
          Canopy.class,
          Transaction.class,
          ReadTransaction.class,
          MutableView.class,
          ReadView.class,
          Cursor.class,
          ChangeFeed.class,
          Loader.class,
          Table.class,
          TableView.class,
          TableReadView.class,
          IndexView.class,
          IndexStructure.class);

  private final Set<String> called = new ConcurrentSkipListSet<>();

  /** The same handle, watched. */
  Canopy watch(Canopy handle) {
    return watched(handle, Canopy.class);
  }

  /** The methods of the watched interfaces that were not called. */
  Set<String> missing() {
    Set<String> missing = new TreeSet<>();
    for (Class<?> type : WATCHED) {
      for (Method method : type.getMethods()) {
        boolean ours = method.getDeclaringClass().getPackageName().equals("io.canopygrid");
        if (ours && !Modifier.isStatic(method.getModifiers()) && !method.isBridge()) {
          missing.add(name(method));
        }
      }
    }
    missing.removeAll(called);
    return missing;
  }

  private <T> T watched(Object target, Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Watched(target)));
  }

  /** Notes what is called, and calls it. */
  private final class Watched implements InvocationHandler {
    private final Object target;

    Watched(Object target) {
      this.target = target;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args)
        throws Throwable {
      called.add(name(method));
      return CalledMethods.this.invoke(target, method, args);
    }
  }

  private @Nullable Object invoke(Object target, Method method, Object @Nullable [] args)
      throws Throwable {
    Object[] watchedArgs = args == null ? new Object[0] : args.clone();
    for (int i = 0; i < watchedArgs.length; i++) {
      watchedArgs[i] = body(watchedArgs[i]);
    }
    try {
      return result(method.invoke(target, watchedArgs));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private @Nullable Object body(@Nullable Object arg) {
    if (arg != null
        && Proxy.isProxyClass(arg.getClass())
        && Proxy.getInvocationHandler(arg) instanceof Watched watched) {
      return watched.target;
    }
    if (arg instanceof TransactionBody<?> body) {
      return (TransactionBody<Exception>) tx -> body.run(watched(tx, Transaction.class));
    }
    if (arg instanceof TransactionCall<?, ?> call) {
      return (TransactionCall<@Nullable Object, Exception>)
          tx -> call.call(watched(tx, Transaction.class));
    }
    if (arg instanceof ReadBody<?, ?> body) {
      return (ReadBody<@Nullable Object, Exception>)
          tx -> body.read(watched(tx, ReadTransaction.class));
    }
    return arg;
  }

  private @Nullable Object result(@Nullable Object value) {
    for (Class<?> type : WATCHED) {
      if (type.isInstance(value)) {
        return watched(value, type);
      }
    }
    return value;
  }

  private static String name(Method method) {
    String parameters =
        Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
    return method.getDeclaringClass().getSimpleName() + "." + method.getName() + parameters;
  }
}
