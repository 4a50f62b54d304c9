package io.canopygrid.it.maps;

import io.canopygrid.Canopy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Maps over a node in this JVM are maps as the JDK's are. */
@NullUnmarked // the node is there while tests run
final class EmbeddedMapsIT {
  private static Canopy db;

  @BeforeAll
  static void start() {
    db = EmbeddedCanopy.start();
  }

  @AfterAll
  static void stop() {
    db.close();
  }

  @TestFactory
  Stream<DynamicNode> inATransaction() {
    return new Faces(db).inTransaction();
  }

  @TestFactory
  Stream<DynamicNode> autocommitting() {
    return new Faces(db).autocommitting();
  }
}
