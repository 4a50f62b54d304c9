package io.canopygrid.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.canopygrid.CanopyException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records come as the file has them, or not at all. */
final class RecordSourceTest {
  private static final RecordSource.Value VALUE = RecordSource.Value.of("v");
  private static final RecordSource.Value WHOLE = new RecordSource.Value("v", true, true);
  private static final RecordSource.Value JSON = new RecordSource.Value("v", false, true);

  private static List<String> json(String text, RecordSource.Value value) throws Exception {
    try (RecordSource source = new JsonRecords(bytes(text, StandardCharsets.UTF_8), "k", value)) {
      return all(source);
    }
  }

  private static List<String> csv(byte[] text, RecordSource.Value value) throws Exception {
    try (RecordSource source = new CsvRecords(new ByteArrayInputStream(text), ',', "k", value)) {
      return all(source);
    }
  }

  private static List<String> all(RecordSource source) throws Exception {
    List<String> found = new ArrayList<>();
    for (RecordSource.Text t = source.next(); t != null; t = source.next()) {
      found.add(t.key() + "=" + t.value());
    }
    return found;
  }

  private static ByteArrayInputStream bytes(String text, Charset charset) {
    return new ByteArrayInputStream(text.getBytes(charset));
  }

  @Test
  void numbersAndTextsAreThoseOfTheFile() throws Exception {
    assertThat(json("{\"k\":1.50,\"v\":[1e400,{\"a\":1.0}]}{\"k\":\"null\",\"v\":\"x\"}", VALUE))
        .containsExactly("1.50=[1e400,{\"a\":1.0}]", "null=x");
    assertThat(json("{\"k\":1,\"v\":\"x\"}", JSON)).containsExactly("1=\"x\"");
    assertThat(json("{\"k\":1,\"n\":2.0,\"s\":\"x\"}", WHOLE))
        .containsExactly("1={\"k\":1,\"n\":2.0,\"s\":\"x\"}");
  }

  @Test
  void arraysAndObjectsMayFollowEachOther() throws Exception {
    assertThat(json("[{\"k\":1,\"v\":1}]\n{\"k\":2,\"v\":2}[][{\"k\":3,\"v\":3}]", VALUE))
        .containsExactly("1=1", "2=2", "3=3");
  }

  @Test
  void brokenJsonIsRefused() {
    for (String text :
        List.of(
            "[{\"k\":1,\"v\":1}",
            "{\"k\":1,\"k\":2,\"v\":1}",
            "{\"k\":1,\"v\":1},",
            "{\"k\":01}")) {
      assertThatExceptionOfType(JsonProcessingException.class)
          .as(text)
          .isThrownBy(() -> json(text, VALUE));
    }
    for (String text : List.of("5", "[[{\"k\":1,\"v\":1}]]", "{\"k\":1,\"v\":null}", "{\"v\":1}")) {
      assertThatExceptionOfType(WrongRecordException.class)
          .as(text)
          .isThrownBy(() -> json(text, VALUE));
    }
  }

  @Test
  void wholeRowsAreObjects() throws Exception {
    assertThat(csv("k,name\n1,\"A \"\"x\"\"\"\n".getBytes(StandardCharsets.UTF_8), WHOLE))
        .containsExactly("1={\"k\":\"1\",\"name\":\"A \\\"x\\\"\"}");
  }

  @Test
  void aColumnThatComesTwiceIsRefused() {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> csv("k,v,x,x\n1,2,3,4\n".getBytes(StandardCharsets.UTF_8), VALUE))
        .withMessageContaining("'x' twice");
  }

  @Test
  void marksSayTheCharset() throws Exception {
    for (Charset charset :
        List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
      assertThat(csv("\uFEFFk,v\n1,\u00e9\uD83D\uDE00\n".getBytes(charset), VALUE))
          .containsExactly("1=\u00e9\uD83D\uDE00");
    }
  }

  @Test
  void bytesThatAreNoTextAreRefusedWithTheirPlace() {
    byte[] latin = "k,v\r\n1,ab\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> csv(latin, VALUE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 2, column 5");
    byte[] cut = {'k', ',', 'v', '\n', '1', ',', (byte) 0xC3};
    assertThatThrownBy(() -> csv(cut, VALUE)).hasMessageContaining("line 2, column 3");
  }
}
