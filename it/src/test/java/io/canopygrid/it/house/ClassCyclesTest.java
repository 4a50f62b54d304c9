package io.canopygrid.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No two classes of the product know each other, neither at once nor through others. */
final class ClassCyclesTest {
  @Test
  void noClassesKnowEachOtherInACircle() {
    JavaClasses product =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.canopygrid");
    assertThat(product).as("the classes of all modules").hasSizeGreaterThan(1_000);
    assertThat(ClassCycles.among(product)).isEmpty();
  }

  @Test
  void aCircleIsFoundThroughNestedClasses() {
    JavaClasses circle = new ClassFileImporter().importClasses(First.class, Second.class);
    List<Set<String>> found = ClassCycles.among(circle);
    assertThat(found).as("both are nested in this class").isEmpty();
    JavaClasses apart =
        new ClassFileImporter()
            .importClasses(CircleOne.class, CircleOne.Inside.class, CircleTwo.class);
    assertThat(ClassCycles.among(apart))
        .containsExactly(Set.of(CircleOne.class.getName(), CircleTwo.class.getName()));
  }

  private record First(Second second) {}

  private record Second(First first) {}
}

/** Knows {@link CircleTwo} through its nested class alone. */
final class CircleOne {
  private CircleOne() {}

  record Inside(CircleTwo two) {}
}

/** Knows {@link CircleOne}. */
record CircleTwo(CircleOne one) {}
