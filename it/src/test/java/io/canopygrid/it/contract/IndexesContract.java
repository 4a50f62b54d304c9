package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Opening, creating, naming and listing indexes. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class IndexesContract extends Theme {
  IndexesContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void createdOnFirstUseAndFoundThroughEveryNode() {
    IndexOptions options = new IndexOptions(100);
    Index<Long, String> created = db.index(name + "-x", Codec.int64(), Codec.string(), options);
    assertThat(created.name()).isEqualTo(name + "-x");
    assertThat(created.options()).isEqualTo(options);
    assertThat(created.keyCodec().id()).isEqualTo("int64");
    assertThat(created.valueCodec().id()).isEqualTo("string");
    Index<Long, String> found = other.index(name + "-x", Codec.int64(), Codec.string());
    assertThat(found.options()).as("those it was created with").isEqualTo(options);
  }

  @Test
  void openedTwiceItIsTheSame() {
    Index<String, String> again = texts(db);
    assertThat(again).isEqualTo(index);
    db.run(tx -> {
      tx.on(index).put("a", "1");
      assertThat(tx.on(again).get("a")).isEqualTo("1");
    });
  }

  @Test
  void listedInOrder() {
    db.index(name + "-b", Codec.int64(), Codec.string());
    db.index(name + "-a", Codec.int64(), Codec.string());
    List<String> names = db.indexes();
    assertThat(names).isSorted().contains(name, name + "-a", name + "-b");
    assertThat(other.indexes()).containsAll(names);
  }

  @Test
  void doNotMix() {
    Index<String, String> two = db.index(name + "-2", Codec.string(), Codec.string());
    db.run(tx -> {
      tx.on(index).put("a", "1");
      tx.on(two).put("a", "2");
      tx.on(two).put("b", "2");
      assertThat(tx.on(index).get("a")).isEqualTo("1");
      assertThat(tx.on(two).get("a")).isEqualTo("2");
    });
    db.read(tx -> {
      assertThat(tx.on(index).count()).isEqualTo(1);
      assertThat(tx.on(two).count()).isEqualTo(2);
      return null;
    });
  }

  @Test
  void otherCodecsAreRefusedByEveryHandle() {
    CanopyException e =
        refused(ErrorCode.CODEC_MISMATCH, () -> db.index(name, Codec.int32(), Codec.string()));
    assertThat(e.detail()).contains("'" + name + "'").contains("string").contains("int32");
    refused(ErrorCode.CODEC_MISMATCH, () -> other.index(name, Codec.string(), Codec.bytes()));
  }

  @Test
  void oddNamesAreRefused() {
    for (String odd : List.of("", " ", "1a", "a b", "a/b", "ü", "a\u0000", "_a", "a".repeat(129))) {
      refused(ErrorCode.INVALID_INDEX_NAME, () -> db.index(odd, Codec.int64(), Codec.string()));
    }
    String longest = name + "-" + "a".repeat(127 - name.length());
    assertThat(db.index(longest, Codec.int64(), Codec.string()).name()).isEqualTo(longest);
  }

  @Test
  void nullsAndUnorderedKeysAreRefused() {
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.index(null, Codec.int64(), Codec.string()));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.index(name, null, Codec.string()));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.index(name, Codec.string(), null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.index(name, Codec.string(), Codec.string(), null));
    refused(
        ErrorCode.INVALID_ARGUMENT,
        () -> db.index(name + "-j", Codec.json(List.class), Codec.string()));
  }
}
