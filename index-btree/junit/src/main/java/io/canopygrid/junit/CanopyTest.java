package io.canopygrid.junit;

import io.canopygrid.Canopy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives a test a grid of its own in this JVM. At a class all of its methods share the grid, with
 * those of its {@code @Nested} classes; it ends after the last of them. At a method the grid is for
 * that method alone. Parameters of the type {@link Canopy} or {@link CanopyGrid} are filled in, in
 * constructors and in methods of tests and of their life cycle.
 *
 * <pre>{@code
 * @CanopyTest
 * final class AccountsTest {
 *   @Test
 *   void aTransferMovesMoney(Canopy canopy) { … }
 * }
 * }</pre>
 *
 * <p>Between two methods nothing is cleared, and no other test sees what they have written. Before
 * each method the grid is made whole: {@link CanopyGrid#makeWhole}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(CanopyTest.Extension.class)
public @interface CanopyTest {
  /**
   * The number of nodes, 1 to 9. A single one has no network. Several are connected through the
   * loopback address; two of them have a copy of each entry.
   */
  int nodes() default 1;

  /**
   * Whether each node keeps its data on disk too, in a temporary directory that is deleted with the
   * grid. A node that is started again has its data then. Needs {@code canopy-storage-rocksdb}.
   */
  boolean onDisk() default false;

  /** Starts and ends the grids of annotated tests. For JUnit. */
  final class Extension extends GridExtension {
    /** For JUnit. */
    public Extension() {}

    @Override
    Optional<GridShape> shapeAt(ExtensionContext context) {
      return AnnotationSupport.findAnnotation(context.getElement(), CanopyTest.class)
          .map(test -> new GridShape(test.nodes(), test.onDisk()));
    }
  }
}
