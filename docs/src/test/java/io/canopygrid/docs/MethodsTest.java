package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Methods are found with their length, wherever they stand. */
final class MethodsTest {
  @Test
  void methodsOfTypesAndOfNestedTypes() {
    String java =
        """
        package p;

        /** Not { this. */
        final class Outer {
          private final String brace = "{";

          @Override
          public int first(
              int a) {
            if (a == '{') {
              return 1; // }
            }
            return 2;
          }

          enum Kind {
            ONE {
              void second() {}
            };

            abstract void second();
          }

          record Pair(int left, int right) {
            Pair {
              check();
            }
          }
        }
        """;
    assertThat(Methods.of(java))
        .containsExactly(
            new Methods.Method("@Override\n  public int first(\n      int a)", 8),
            new Methods.Method("void second()", 1),
            new Methods.Method("Pair", 3));
  }
}
