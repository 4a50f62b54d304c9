package io.canopygrid.gmu.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** An engine with changes over it is what it is once it has taken them. */
final class NetChangesTest {
  private static final int KEYS = 60;
  private static final int CHANGES = 40;

  @TempDir Path temporary;

  @Test
  void whatIsReadOverAnEngineIsWhatItHasAfterwards() throws RocksDBException {
    Path path = temporary.resolve("engine");
    try (RocksEngine engine =
        RocksEngine.open(path, EngineLimits.DEFAULT, true, new EngineFailures(temporary))) {
      NavigableMap<Integer, Integer> model = new TreeMap<>();
      Random random = new Random(1);
      for (int round = 0; round < 200; round++) {
        NetChanges net = new NetChanges();
        change(net, model, random);
        assertThat(read(net.over(engine))).as("round %d", round).isEqualTo(lines(model));
        int from = random.nextInt(KEYS);
        assertThat(read(net.over(engine), from, from + 10))
            .as("round %d from %d", round, from)
            .isEqualTo(lines(model.subMap(from, from + 10)));
        try (WriteBatch batch = new WriteBatch()) {
          net.writeTo(batch, engine);
          engine.write(batch);
        }
        assertThat(read(new NetChanges().over(engine))).isEqualTo(lines(model));
      }
    }
  }

  private static void change(NetChanges net, NavigableMap<Integer, Integer> model, Random random) {
    for (int i = 0; i < CHANGES; i++) {
      int key = random.nextInt(KEYS);
      switch (random.nextInt(8)) {
        case 0 -> {
          int to = key + random.nextInt(12);
          net.deleteRange(Family.DATA, key(key), key(to));
          model.subMap(key, to).clear();
        }
        case 1, 2, 3 -> {
          net.delete(Family.DATA, key(key));
          model.remove(key);
        }
        default -> {
          int value = random.nextInt(100);
          net.put(Family.DATA, key(key), () -> key(value));
          model.put(key, value);
        }
      }
    }
  }

  private static byte[] key(int key) {
    return new byte[] {(byte) (key + 100)}; // some of them negative as signed bytes
  }

  private static List<String> lines(Map<Integer, Integer> model) {
    List<String> lines = new ArrayList<>();
    model.forEach((key, value) -> lines.add(line(key(key), key(value))));
    return lines;
  }

  private static String line(byte[] key, byte[] value) {
    return key[0] + "=" + value[0];
  }

  private static List<String> read(ContentCheck.Source source) throws RocksDBException {
    List<String> lines = new ArrayList<>();
    source.read(Family.DATA, (key, value) -> lines.add(line(key, value)));
    return lines;
  }

  private static List<String> read(ContentCheck.Source source, int from, int to)
      throws RocksDBException {
    List<String> lines = new ArrayList<>();
    source.read(Family.DATA, key(from), key(to), (key, value) -> lines.add(line(key, value)));
    return lines;
  }
}
