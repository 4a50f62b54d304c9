package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data by HTTP: entries, pages, and transactions of several operations. */
final class ApiDataTest {
  private static TestServer server;
  private static ApiCaller api;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(EndpointLimits.DEFAULTS);
    api = ApiCaller.of(server);
    api.index("accounts", "string", "int64");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void anEntryIsPutReadAndTakenAway() throws Exception {
    api.index("names", "int64", "string");
    assertThat(api.put("/indexes/names/entries/1", "{\"value\":\"Ada\"}").status()).isEqualTo(204);
    assertThat(api.get("/indexes/names/entries/1").ok())
        .hasToString("{\"key\":1,\"value\":\"Ada\"}");
    assertThat(api.delete("/indexes/names/entries/1").status()).isEqualTo(204);
    assertThat(api.get("/indexes/names/entries/1").ok()).hasToString("{\"key\":1,\"value\":null}");
    assertThat(api.get("/indexes").ok().toString())
        .contains("{\"index\":\"names\",\"keys\":\"int64\",\"values\":\"string\"}");
  }

  /** Each is written as JSON has it or as a text, and is told as the last column says. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "int32 | 7 | 7",
        "int32 | \"-7\" | -7",
        "int64 | 9007199254740991 | 9007199254740991",
        "int64 | 9007199254740992 | \"9007199254740992\"",
        "int64 | \"-9223372036854775808\" | \"-9223372036854775808\"",
        "float64 | 1.5 | 1.5",
        "float64 | \"NaN\" | \"NaN\"",
        "bool | true | true",
        "decimal | 1.10 | \"1.1\"",
        "decimal | \"123456789012345678901234567890.5\" | \"123456789012345678901234567890.5\"",
        "string | \"\\u00fc \\ud83d\\ude00\" | \"ü 😀\"",
        "bytes | \"0x00ff\" | \"0x00ff\"",
        "instant | \"2026-11-21T18:00:00Z\" | \"2026-11-21T18:00:00Z\"",
        "tuple(string,int64) | \"Ada,7\" | \"Ada,7\"",
        "descending(int32) | 7 | 7",
        "optional(date) | \"none\" | \"none\"",
        "json(any.Name) | {\"b\":[1.10,null],\"a\":\"x\"} | {\"a\":\"x\",\"b\":[1.10,null]}",
        "json(any.Name) | \"a text\" | \"a text\""
      })
  void valuesAreJsonByTheirCodec(String codec, String written, String told) throws Exception {
    String index = "v" + Integer.toHexString(codec.hashCode());
    api.index(index, "string", codec);
    String entry = "/indexes/" + index + "/entries/k";
    assertThat(api.put(entry, "{\"value\":" + written + "}").status()).isEqualTo(204);
    assertThat(api.get(entry).response().body())
        .isEqualTo("{\"key\":\"k\",\"value\":" + told + "}\n");
    String check = "\"op\":\"check\",\"index\":\"" + index + "\",\"key\":\"k\",\"value\":";
    api.transact("{" + check + written + "}", "{" + check + told + "}").ok();
  }

  @Test
  void aRangeComesInPages() throws Exception {
    api.index("numbers", "int32", "int32");
    api.transact(
            IntStream.range(0, 25)
                .mapToObj(i ->
                    "{\"op\":\"put\",\"index\":\"numbers\",\"key\":"
                        + i
                        + ",\"value\":"
                        + i * i
                        + "}")
                .toArray(String[]::new))
        .ok();
    assertThat(pages("?limit=10")).isEqualTo(keys(0, 24)).hasSize(25);
    assertThat(pages("?limit=7&from=3&to=20")).isEqualTo(keys(3, 20));
    List<Integer> down = pages("?limit=4&from=3&reverse=true");
    assertThat(down).hasSize(22).startsWith(24, 23).endsWith(4, 3);
    api.get("/indexes/numbers/entries?resume=%20").is(400, ErrorCode.INVALID_TOKEN);
    api.get("/indexes/numbers/entries?from=3&resume=AAAA").is(400, ErrorCode.INVALID_TOKEN);
    api.get("/indexes/numbers/entries?limit=0").is(400, ErrorCode.INVALID_ARGUMENT);
    api.get("/indexes/numbers/entries?prefix=1").is(400, ErrorCode.INVALID_ARGUMENT);
    api.put("/indexes/accounts/entries/a%2Fb", "{\"value\":1}");
    assertThat(api.get("/indexes/accounts/entries?prefix=a%2F").ok().get("entries")).hasSize(1);
  }

  private static List<Integer> keys(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  private static List<Integer> pages(String query) throws Exception {
    List<Integer> keys = new ArrayList<>();
    String resume = "";
    do {
      JsonNode page = api.get("/indexes/numbers/entries" + query + resume).ok();
      for (JsonNode entry : page.get("entries")) {
        int key = entry.get("key").intValue();
        assertThat(entry.get("value").intValue()).isEqualTo(key * key);
        keys.add(key);
      }
      resume = page.has("resume") ? "&resume=" + page.get("resume").asText() : "";
    } while (!resume.isEmpty());
    return keys;
  }

  private static String of(String op, String key, String more) {
    return "{\"op\":\"" + op + "\",\"index\":\"accounts\",\"key\":\"" + key + "\"" + more + "}";
  }

  @Test
  void aTransactionIsCommittedOrRefusedWhole() throws Exception {
    JsonNode first =
        api.transact(
                of("check", "eve", ",\"absent\":true"),
                of("put", "eve", ",\"value\":100"),
                of("get", "eve", ""),
                of("put", "dan", ",\"value\":1"),
                of("delete", "dan", ""),
                of("get", "dan", ""))
            .ok();
    assertThat(first).hasToString("{\"results\":[{},{},{\"value\":100},{},{},{\"value\":null}]}");
    ApiCaller.Answer refused =
        api.transact(of("put", "eve", ",\"value\":5"), of("check", "dan", ",\"value\":1"))
            .is(412, ErrorCode.CHECK_FAILED);
    assertThat(refused.json().get("facts").get("operation").asText()).isEqualTo("1");
    assertThat(refused.json().get("commitState").asText()).isEqualTo("NOT_COMMITTED");
    api.transact(of("check", "eve", ",\"absent\":true")).is(412, ErrorCode.CHECK_FAILED);
    api.transact(of("put", "eve", ",\"value\":5"), of("put", "eve", ",\"value\":\"x\""))
        .is(400, ErrorCode.CODEC_FAILURE);
    assertThat(api.get("/indexes/accounts/entries/eve").ok().get("value").intValue())
        .isEqualTo(100);
  }

  /** Each reads, and writes one more if nobody was between; else it tries again. */
  @Test
  void checksMakeUpdatesThatAreNotLost() throws Exception {
    api.put("/indexes/accounts/entries/hot", "{\"value\":0}");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            threads.submit(() -> {
              for (int done = 0; done < 25; ) {
                int now = api.get("/indexes/accounts/entries/hot").ok().get("value").intValue();
                int status =
                    api.transact(
                            of("check", "hot", ",\"value\":" + now),
                            of("put", "hot", ",\"value\":" + (now + 1)))
                        .status();
                assertThat(status).isIn(200, 412);
                done += status == 200 ? 1 : 0;
              }
              return 25;
            }));
      }
      for (Future<Integer> one : all) {
        assertThat(one.get()).isEqualTo(25);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(api.get("/indexes/accounts/entries/hot").ok().get("value").intValue())
        .isEqualTo(100);
  }

  @Test
  void tablesAreReadAndNotWrittenPast() throws Exception {
    api.put("/indexes/folks.rows", "{\"keys\":\"int64\",\"values\":\"string\"}")
        .is(409, ErrorCode.PART_OF_TABLE);
    api.put("/indexes/folks.rows/entries/1", "{\"value\":\"x\"}").is(409, ErrorCode.PART_OF_TABLE);
    api.transact("{\"op\":\"delete\",\"index\":\"folks.rows\",\"key\":1}")
        .is(409, ErrorCode.PART_OF_TABLE);
  }

  @Test
  void anIndexIsOpenedByTheCodecsItHas() throws Exception {
    api.index("accounts", "string", "int64");
    api.put("/indexes/accounts", "{\"keys\":\"string\",\"values\":\"int32\"}")
        .is(409, ErrorCode.CODEC_MISMATCH);
    api.put("/indexes/odd", "{\"keys\":\"json(a.B)\",\"values\":\"int32\"}")
        .is(400, ErrorCode.INVALID_ARGUMENT);
    api.put("/indexes/odd", "{\"keys\":\"int46\",\"values\":\"int32\"}")
        .is(400, ErrorCode.INVALID_ARGUMENT);
    api.put("/indexes/0dd", "{\"keys\":\"int64\",\"values\":\"int32\"}")
        .is(400, ErrorCode.INVALID_INDEX_NAME);
    api.get("/indexes/$users/entries").is(400, ErrorCode.INVALID_INDEX_NAME);
    assertThat(api.get("/indexes").ok().toString()).doesNotContain("odd", "$");
  }
}
