package io.canopygrid.server.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.terminal.OutputFormat;
import io.canopygrid.wire.client.Reply;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the cost of operations on an index of four parts at two servers. */
final class AccessPlanTest {
  private static final Reply.Routes ROUTES =
      new Reply.Routes(
          1,
          List.of("a:1", "b:1"),
          List.of(
              new Reply.Route(new byte[0], 0, 7),
              new Reply.Route(key("g"), 1, 8),
              new Reply.Route(key("m"), 1, 9),
              new Reply.Route(key("t"), 0, 7)));

  private final AccessPlan client = new AccessPlan(ROUTES, "");
  private final AccessPlan nodeA = new AccessPlan(ROUTES, "a:1");

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String cost(AccessPlan.Way way) {
    return way.shipped()
        + " "
        + way.at()
        + " "
        + way.requests()
        + " "
        + way.further()
        + (way.exact() ? "" : " or more");
  }

  @Test
  void aLookUpAsksTheOwnerOrNobody() {
    assertThat(cost(client.get(key("g")))).isEqualTo("operation b:1 1 0");
    assertThat(cost(nodeA.get(key("g")))).isEqualTo("operation b:1 1 0");
    assertThat(cost(nodeA.get(key("a")))).isEqualTo("operation a:1 0 0");
    assertThat(cost(client.put(key("z")))).isEqualTo("write a:1 1 0");
    assertThat(cost(nodeA.put(key("h")))).isEqualTo("write b:1 1 0");
    assertThat(cost(nodeA.put(key("z")))).isEqualTo("write a:1 0 0");
  }

  @Test
  void aRangeAsksEachSubtreeElsewhereOnce() {
    assertThat(cost(client.count(KeyRange.ALL))).isEqualTo("operation a:1 1 2");
    assertThat(cost(nodeA.count(KeyRange.ALL))).isEqualTo("operation a:1 2 0");
    assertThat(cost(nodeA.count(KeyRange.of(key("a"), key("g"))))).isEqualTo("operation a:1 0 0");
    assertThat(cost(client.scan(KeyRange.of(key("h"), key("u")), false)))
        .isEqualTo("pages b:1 1 1 or more");
    assertThat(cost(client.scan(KeyRange.of(key("h"), key("u")), true)))
        .isEqualTo("pages a:1 1 2 or more");
  }

  @Test
  void aRangeSaysHowManyOfItsSubtreesAreElsewhere() {
    assertThat(client.count(KeyRange.ALL).why()).startsWith("2 of its 4 subtrees are elsewhere");
    assertThat(client.count(KeyRange.of(key("a"), key("h"))).why())
        .startsWith("1 of its 2 subtrees is elsewhere");
    assertThat(client.count(KeyRange.of(key("a"), key("b"))).why())
        .startsWith("its only subtree is there");
    assertThat(nodeA.scan(KeyRange.of(key("h"), key("i")), false).why())
        .startsWith("its only subtree is elsewhere");
  }

  @Test
  void aRangeIsReadFromItsKeys() {
    EntryCodec<String, String> codec =
        new EntryCodec<>("n", TextCodec.of("int64", true), TextCodec.of("string", false));
    assertThat(PlanCommand.range(List.of(), codec)).isEqualTo(KeyRange.ALL);
    assertThat(PlanCommand.range(List.of("-1"), codec).from()).isEqualTo(Codec.int64().encode(-1L));
    KeyRange one = PlanCommand.range(List.of("5", "5"), codec);
    assertThat(one.from()).isEqualTo(Codec.int64().encode(5L));
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> PlanCommand.range(List.of("10", "9"), codec))
        .withMessageContaining("CNPY-3008")
        .withMessageContaining("the first key is above the last one: '10', '9'");
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> PlanCommand.range(List.of("1", "2", "3"), codec))
        .withMessageContaining("a range has a first and a last key");
  }

  @Test
  void aFunctionGoesWholeToItsFirstKey() {
    List<AccessPlan.Way> local = client.function(List.of(key("a"), key("z")));
    assertThat(local.stream().map(AccessPlanTest::cost))
        .containsExactly("transaction a:1 1 0", "operations a:1 3 0");
    List<AccessPlan.Way> far = nodeA.function(List.of(key("h"), key("n"), key("a")));
    assertThat(far.stream().map(AccessPlanTest::cost))
        .containsExactly("transaction b:1 1 3", "operations a:1 6 0");
    List<AccessPlan.Way> here = nodeA.function(List.of(key("a"), key("z")));
    assertThat(here.stream().map(AccessPlanTest::cost))
        .containsExactly("transaction a:1 0 0", "operations a:1 0 0");
    assertThat(here.get(0).why()).contains("runs here");
    assertThat(nodeA.function(List.of(key("h"), key("i"))).stream().map(AccessPlanTest::cost))
        .as("the only shard that takes part decides")
        .containsExactly("transaction b:1 1 0", "operations a:1 3 0");
  }

  @Test
  void jsonHasNumbersAsNumbers() throws JsonProcessingException {
    StringWriter text = new StringWriter();
    PlanCommand.print(
        List.of(nodeA.put(key("h")), client.scan(KeyRange.of(key("h"), key("u")), false)),
        new PrintWriter(text),
        OutputFormat.JSON);
    List<JsonNode> rows = new ArrayList<>();
    for (String line : text.toString().lines().toList()) {
      rows.add(new ObjectMapper().readTree(line));
    }
    assertThat(rows).hasSize(2).allMatch(row -> row.get("remote_requests").isIntegralNumber());
    assertThat(rows).allMatch(row -> row.get("of_that_server").isIntegralNumber());
    assertThat(rows.get(0).get("remote_requests").asLong()).isEqualTo(1);
    assertThat(rows.get(0).get("of_that_server").asLong()).isZero();
    assertThat(rows.get(0).get("exact").isBoolean()).isTrue();
    assertThat(rows.get(0).get("exact").asBoolean()).isTrue();
    assertThat(rows.get(1).get("remote_requests").asLong()).isEqualTo(1);
    assertThat(rows.get(1).get("of_that_server").asLong()).isEqualTo(1);
    assertThat(rows.get(1).get("exact").asBoolean()).isFalse();
  }
}
