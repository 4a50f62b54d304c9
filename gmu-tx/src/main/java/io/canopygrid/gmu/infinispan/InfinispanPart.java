package io.canopygrid.gmu.infinispan;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.infinispan.factories.AbstractComponentFactory;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.impl.ComponentAccessor;
import org.infinispan.factories.impl.ModuleMetadataBuilder.ModuleBuilder;
import org.infinispan.factories.impl.WireContext;

/**
 * Puts a part of a cache manager in the place of Infinispan's, from which it is derived: of two
 * modules that have a factory for a part the one that is registered last decides. Infinispan
 * generates such descriptions at build time.
 */
final class InfinispanPart {
  /**
   * A number, as in Infinispan's generated code: its enum of scopes is there at build time only.
   */
  private static final Integer GLOBAL = 0;

  private InfinispanPart() {}

  /**
   * Registers a part.
   *
   * @param role Infinispan's interface
   * @param type what is put in its place
   * @param wire tells a new part where it is
   * @param factory makes factories that make the part
   */
  static <T, F extends AbstractComponentFactory> void replace(
      ModuleBuilder builder,
      Class<? super T> role,
      Class<T> type,
      BiConsumer<T, GlobalComponentRegistry> wire,
      Class<F> factoryType,
      Supplier<F> factory) {
    builder.registerComponentAccessor(type.getName(), List.of(), new Wiring<>(type, wire));
    builder.registerComponentAccessor(
        factoryType.getName(), List.of(role.getName()), new Making<>(factoryType, factory));
  }

  private static final class Wiring<T> extends ComponentAccessor<T> {
    private final BiConsumer<T, GlobalComponentRegistry> wire;

    Wiring(Class<T> type, BiConsumer<T, GlobalComponentRegistry> wire) {
      super(type.getName(), GLOBAL, false, type.getSuperclass().getName(), List.of());
      this.wire = wire;
    }

    @Override
    protected void wire(T instance, WireContext context, boolean start) {
      String registry = GlobalComponentRegistry.class.getName();
      wire.accept(instance, context.get(registry, GlobalComponentRegistry.class, start));
    }
  }

  private static final class Making<F> extends ComponentAccessor<F> {
    private final Supplier<F> factory;

    Making(Class<F> type, Supplier<F> factory) {
      super(type.getName(), GLOBAL, true, type.getSuperclass().getName(), List.of());
      this.factory = factory;
    }

    @Override
    protected F newInstance() {
      return factory.get();
    }
  }
}
