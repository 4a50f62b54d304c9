package io.canopygrid.gmu.protocol;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/**
 * Puts calls of {@link ReplacedCalls#enter} into methods of classes that are loaded, and takes them
 * out again. It changes what the JVM has of a class at that time, whatever another agent, such as
 * that of coverage, has added.
 */
final class Weaver {
  private static final Instrumentation JVM = ByteBuddyAgent.install();

  private Weaver() {}

  /** The code that stands at a method's beginning, and at its end. */
  static final class Entry {
    private Entry() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static @Nullable Object @Nullable [] enter(
        @Advice.Origin("#t.#m") String id,
        @Advice.This(optional = true) @Nullable Object self,
        @Advice.AllArguments @Nullable Object[] arguments) {
      return ReplacedCalls.enter(id, self, arguments);
    }

    @Advice.OnMethodExit
    @SuppressWarnings("UnusedVariable") // what is assigned is what the method returns
    static void exit(
        @Advice.Enter @Nullable Object @Nullable [] instead,
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC)
            @Nullable Object returned) {
      if (instead != null) {
        returned = instead[0];
      }
    }
  }

  /** Runs something while the methods ask whether they are replaced. */
  static <R> R during(List<Method> methods, Supplier<R> run) {
    Transformer transformer = new Transformer(methods);
    Class<?>[] owners =
        methods.stream().map(Method::getDeclaringClass).distinct().toArray(Class<?>[]::new);
    try {
      JVM.addTransformer(transformer, true);
      transform(owners);
      if (!transformer.failures.isEmpty()) {
        throw new IllegalStateException("not replaced: " + methods, transformer.failures.get(0));
      }
      return run.get();
    } finally {
      JVM.removeTransformer(transformer);
      transform(owners);
    }
  }

  private static void transform(Class<?>[] owners) {
    try {
      if (owners.length > 0) {
        JVM.retransformClasses(owners);
      }
    } catch (UnmodifiableClassException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds the entries; the JVM swallows what it throws, so that is kept. */
  private static final class Transformer implements ClassFileTransformer {
    private final List<Method> methods;
    private final List<Throwable> failures = new ArrayList<>();

    private Transformer(List<Method> methods) {
      this.methods = methods;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked")
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String className,
        @Nullable Class<?> owner,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      try {
        List<Method> own = methods.stream().filter(m -> m.getDeclaringClass() == owner).toList();
        return owner == null || own.isEmpty() ? null : with(owner, own, bytes);
      } catch (RuntimeException | LinkageError e) {
        failures.add(e);
        return null;
      }
    }

    private static byte[] with(Class<?> owner, List<Method> own, byte[] bytes) {
      return new ByteBuddy()
          .decorate(owner, ClassFileLocator.Simple.of(owner.getName(), bytes))
          .visit(Advice.to(Entry.class).on(ElementMatchers.anyOf(own.toArray(Method[]::new))))
          .make()
          .getBytes();
    }
  }
}
