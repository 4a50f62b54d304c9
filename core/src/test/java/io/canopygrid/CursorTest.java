package io.canopygrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.codec.KeyRange;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The methods that every cursor has from the interface, over a list. */
final class CursorTest {
  private final ListCursor cursor = new ListCursor();

  @Test
  void streamsEntriesKeysAndValues() {
    assertThat(new ListCursor().stream().map(Map.Entry::getKey)).containsExactly("a", "b", "c");
    assertThat(new ListCursor().keys()).containsExactly("a", "b", "c");
    assertThat(new ListCursor().values().mapToInt(Integer::intValue).sum()).isEqualTo(6);
  }

  @Test
  void aStreamReadsNoFurtherThanItMust() {
    assertThat(cursor.keys().limit(1)).containsExactly("a");
    assertThat(cursor.handedOut).isEqualTo(1);
  }

  @Test
  void closingAStreamClosesTheCursor() {
    try (Stream<String> keys = cursor.keys()) {
      assertThat(keys.findFirst()).contains("a");
      assertThat(cursor.closed).isFalse();
    }
    assertThat(cursor.closed).isTrue();
  }

  /** Three entries. */
  private static final class ListCursor implements Cursor<String, Integer> {
    private final Iterator<Map.Entry<String, Integer>> entries =
        List.of(Map.entry("a", 1), Map.entry("b", 2), Map.entry("c", 3)).iterator();
    private int handedOut;
    private boolean closed;

    @Override
    public Cursor<String, Integer> reverse() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Cursor<String, Integer> limit(long entriesMost) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterator<Map.Entry<String, Integer>> iterator() {
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return entries.hasNext();
        }

        @Override
        public Map.Entry<String, Integer> next() {
          handedOut++;
          return entries.next();
        }
      };
    }

    @Override
    public ResumeToken resumeToken() {
      return ResumeToken.of(
          "list", KeyRange.ALL, false, ResumeToken.NO_LIMIT, CausalToken.NONE, "");
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
