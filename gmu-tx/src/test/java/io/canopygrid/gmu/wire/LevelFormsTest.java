package io.canopygrid.gmu.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.gmu.message.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The bytes of each message at each level are those that other releases know. {@code forms.txt} has
 * a line for each: the level, the message, its bytes. A change of the bytes needs a level of its
 * own, at which lines are added here; those of the levels that are spoken stay.
 */
final class LevelFormsTest {
  private static final long SEED = 3;

  private record Form(int level, String name, byte[] bytes) {}

  private static Form form(String line) {
    String[] parts = line.split(" ", -1);
    return new Form(Integer.parseInt(parts[0]), parts[1], HexFormat.of().parseHex(parts[2]));
  }

  private static List<Form> forms() throws IOException {
    try (InputStream in = LevelFormsTest.class.getResourceAsStream("forms.txt")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), UTF_8).lines().map(LevelFormsTest::form).toList();
    }
  }

  private static byte[] encode(Message message, int level) {
    ByteBuffer encoded = MessageCodec.encode(message, level);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  @Test
  void whatOtherReleasesWriteIsReadAndWrittenTheSame() throws IOException {
    for (Form form : forms()) {
      Message read = MessageCodec.decode(form.bytes(), 0, form.bytes().length);
      assertThat(read.getClass().getSimpleName()).isEqualTo(form.name());
      assertThat(encode(read, form.level()))
          .as("the bytes of %s at level %d, which other releases speak", read, form.level())
          .isEqualTo(form.bytes());
    }
  }

  @Test
  void eachMessageHasItsFormAtEachLevel() throws IOException {
    Set<String> known = new TreeSet<>();
    forms().forEach(form -> known.add(form.level() + " " + form.name()));
    for (int type = 0; type < MessageGenerator.TYPES; type++) {
      for (int level = ProtocolLevel.lowest(); level <= ProtocolLevel.highest(); level++) {
        Message message = new MessageGenerator(SEED).message(type);
        String line = level + " " + message.getClass().getSimpleName();
        String bytes = HexFormat.of().formatHex(encode(message, level));
        assertThat(known).as("forms.txt lacks: %s %s", line, bytes).contains(line);
      }
    }
  }
}
