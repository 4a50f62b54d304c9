package io.canopygrid.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An Infinispan that lacks what a node needs is named, and not just what it lacks. */
final class OldInfinispanTest {
  /** A class that the Infinispan of Spring Boot's own list does not have. */
  private static final String NEW = "org.infinispan.distribution.ch.impl.ConsistentHashFactory";

  @Test
  void aNodeSaysWhichInfinispanThereIsAndWhatToDo() throws Exception {
    try (OtherClassPath classes = OtherClassPath.without(NEW)) {
      assertThat(classes.run(JoiningProgram.class, "old"))
          .startsWith("CNPY-5001 CONFIG_INVALID: Infinispan 16.0.12 with JGroups 5.5.7.Final")
          .contains("needs Infinispan 16.0 or newer: import canopy-bom before any other list")
          .contains("NoClassDefFoundError");
    }
  }
}
