package io.canopygrid.gmu.protocol;

import io.canopygrid.gmu.InvariantViolation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A method of the protocol that does something else for a while, so that one rule is broken on
 * purpose. The protocol itself knows nothing of it: {@link Weaver} puts a call of {@link
 * ReplacedCalls#enter} at the method's beginning, and takes it out again.
 *
 * <p>The method is named as a string. A method that does not exist (any more), or has overloads,
 * fails the run; so does a method that is never called: see {@link #requireCalled}.
 */
public final class Replacement {
  /** Held by the run whose methods are replaced. */
  private static final Object RUNS = new Object();

  private final Class<?> owner;
  private final String name;
  private final Instead instead;
  private final ReplacedCalls.Instead standIn = this::call;
  private final AtomicLong calls = new AtomicLong();

  private Replacement(Class<?> owner, String name, Instead instead) {
    this.owner = owner;
    this.name = name;
    this.instead = instead;
  }

  /** The steps that a call takes instead of its method; they give what the method returns. */
  @FunctionalInterface
  public interface Body<T> {
    @Nullable Object run(Call<T> call);
  }

  /** A body whose type of receiver is not known any more. */
  @FunctionalInterface
  private interface Instead {
    @Nullable Object run(Replacement replaced, @Nullable Object self, @Nullable Object[] arguments);
  }

  /** A method that does what {@code body} does. */
  public static <T> Replacement replacing(Class<T> owner, String method, Body<T> body) {
    return new Replacement(
        owner,
        method,
        (replaced, self, arguments) ->
            body.run(new Call<>(replaced.method(), owner, self, arguments, replaced::proceeding)));
  }

  /** A method that returns this value. */
  public static Replacement returning(Class<?> owner, String method, @Nullable Object value) {
    return new Replacement(owner, method, (replaced, self, arguments) -> value);
  }

  /** A method that finds an invariant violated. */
  public static Replacement violating(Class<?> owner, String method) {
    return replacing(
        owner,
        method,
        call -> {
          throw new InvariantViolation("planted: " + method);
        });
  }

  /** A method that finds an invariant violated where it is called on this object. */
  @SuppressWarnings("ReferenceEquality") // the very object
  public static Replacement violatingAt(Object at, String method) {
    return replacing(
        at.getClass(),
        method,
        call -> {
          if (call.self() == at) {
            throw new InvariantViolation("planted: " + method);
          }
          return call.proceed();
        });
  }

  /** A method without a result, which does nothing. */
  public static Replacement skipping(Class<?> owner, String method) {
    return returning(owner, method, null);
  }

  /**
   * Runs something while these methods are replaced, in the whole JVM; such runs on several threads
   * go one after the other.
   */
  public static <R> R during(List<Replacement> replaced, Supplier<R> run) {
    if (replaced.isEmpty()) {
      return run.get();
    }
    synchronized (RUNS) {
      if (!ReplacedCalls.active().isEmpty()) {
        throw new IllegalStateException("replaced already: " + ReplacedCalls.active());
      }
      return duringThese(replaced, run);
    }
  }

  private static <R> R duringThese(List<Replacement> replaced, Supplier<R> run) {
    List<Method> methods = new ArrayList<>();
    for (Replacement each : replaced) {
      methods.add(each.method());
    }
    try {
      for (Replacement each : replaced) {
        each.calls.set(0);
        ReplacedCalls.replace(each.id(), each.standIn);
      }
      return Weaver.during(methods, run);
    } finally {
      ReplacedCalls.clear();
    }
  }

  /** Fails where a method that was replaced in the last run was not called in it. */
  public static void requireCalled(List<Replacement> replaced) {
    Set<String> uncalled =
        replaced.stream()
            .filter(each -> each.calls.get() == 0)
            .map(Replacement::id)
            .collect(Collectors.toSet());
    if (!uncalled.isEmpty()) {
      throw new AssertionError("replaced, and never called: " + uncalled);
    }
  }

  private @Nullable Object call(@Nullable Object self, @Nullable Object[] arguments) {
    calls.incrementAndGet();
    return instead.run(this, self, arguments);
  }

  private void proceeding() {
    ReplacedCalls.proceeding(standIn);
  }

  private String id() {
    return owner.getName() + "." + name;
  }

  private Method method() {
    List<Method> found = new ArrayList<>();
    for (Method method : owner.getDeclaredMethods()) {
      if (method.getName().equals(name) && !method.isSynthetic()) {
        found.add(method);
      }
    }
    if (found.size() != 1) {
      throw new IllegalStateException("must be one method: " + id() + " is " + found);
    }
    Method method = found.get(0);
    method.setAccessible(true);
    return method;
  }

  /** One call of a replaced method. */
  public static final class Call<T> {
    private final Method method;
    private final Class<T> owner;
    private final @Nullable Object self;
    private final @Nullable Object[] arguments;
    private final Runnable proceeding;

    private Call(
        Method method,
        Class<T> owner,
        @Nullable Object self,
        @Nullable Object[] arguments,
        Runnable proceeding) {
      this.method = method;
      this.owner = owner;
      this.self = self;
      this.arguments = arguments;
      this.proceeding = proceeding;
    }

    /** The receiver. */
    public T self() {
      return owner.cast(present(self));
    }

    /** An argument, which is not null. */
    public <A> A argument(int index, Class<A> type) {
      return type.cast(present(arguments[index]));
    }

    boolean hasArgument(int index) {
      return arguments[index] != null;
    }

    /** A private field of the receiver. */
    public <F> F field(String name, Class<F> type) {
      try {
        var field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return type.cast(present(field.get(self())));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("no such field: " + owner.getName() + "." + name, e);
      }
    }

    /** Sets a private field of the receiver. */
    public void setField(String name, Object value) {
      try {
        var field = owner.getDeclaredField(name);
        field.setAccessible(true);
        field.set(self(), value);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("no such field: " + owner.getName() + "." + name, e);
      }
    }

    /** The same call with another argument. */
    public Call<T> with(int index, Object argument) {
      @Nullable Object[] others = arguments.clone();
      others[index] = argument;
      return new Call<>(method, owner, self, others, proceeding);
    }

    /** Does what the method does that is replaced. */
    public @Nullable Object proceed() {
      try {
        proceeding.run();
        return method.invoke(self, arguments);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new AssertionError(e.getCause());
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }

    /** Does what the method does that is replaced; gives its result, of this type. */
    public <R> R proceed(Class<R> type) {
      return type.cast(present(proceed()));
    }

    private static <V> V present(@Nullable V value) {
      if (value == null) {
        throw new IllegalStateException("there is none");
      }
      return value;
    }
  }
}
