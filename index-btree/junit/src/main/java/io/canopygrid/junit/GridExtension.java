package io.canopygrid.junit;

import io.canopygrid.Canopy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts a grid for each class or method that asks for one, and ends it after that. The grid of a
 * test is that of the nearest context around it that asks for one: the method, its class, a class
 * around that.
 */
abstract class GridExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  private static final String OURS = "io.canopygrid.";

  private final Namespace namespace = Namespace.create(GridExtension.class);

  /** The grid that a class or method asks for itself, whatever those around it do. */
  abstract Optional<GridShape> shapeAt(ExtensionContext context);

  @Override
  public void beforeAll(ExtensionContext context) {
    gridOf(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    gridOf(context).makeWhole();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    end(context);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    end(context);
  }

  /** Ends the grid that was started for this class or method, if there is one. */
  private void end(ExtensionContext context) {
    CanopyGrid own = started(context);
    if (own != null) {
      own.close();
    }
  }

  private @Nullable CanopyGrid started(ExtensionContext context) {
    // By its own name: a store also finds what the contexts around it have.
    return context.getStore(namespace).get(context.getUniqueId(), CanopyGrid.class);
  }

  private CanopyGrid gridOf(ExtensionContext context) {
    for (ExtensionContext at = context; at != null; at = at.getParent().orElse(null)) {
      Optional<GridShape> shape = shapeAt(at);
      if (shape.isPresent()) {
        CanopyGrid grid = started(at);
        if (grid == null) {
          grid = CanopyGrid.start(shape.get());
          at.getStore(namespace).put(at.getUniqueId(), grid);
        }
        return grid;
      }
    }
    throw new IllegalStateException(
        "nothing around " + context.getDisplayName() + " asks for a grid with @CanopyTest");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType().getName().startsWith(OURS);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == CanopyGrid.class) {
      return gridOf(context);
    }
    if (type == Canopy.class || type == EmbeddedCanopy.class) {
      return gridOf(context).node(0);
    }
    throw new ParameterResolutionException(
        "@CanopyTest has no "
            + type.getSimpleName()
            + " for parameter '"
            + parameter.getParameter().getName()
            + "': take a Canopy or a CanopyGrid");
  }
}
