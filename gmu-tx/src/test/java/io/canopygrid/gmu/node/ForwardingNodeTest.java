package io.canopygrid.gmu.node;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A method that has a default in the interface is easily left out. */
final class ForwardingNodeTest {
  static Stream<Method> methods() {
    return Arrays.stream(GmuNode.class.getDeclaredMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic());
  }

  @ParameterizedTest
  @MethodSource("methods")
  void forwardsEachMethodOfANode(Method method) {
    assertThatCode(() ->
            ForwardingNode.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
        .doesNotThrowAnyException();
  }
}
