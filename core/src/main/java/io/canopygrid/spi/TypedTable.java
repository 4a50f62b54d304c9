package io.canopygrid.spi;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Table;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A table of one handle: its rows, its definitions and each of its indexes are indexes of the grid.
 * Thread-safe.
 *
 * @param <K> primary keys
 * @param <R> rows
 */
final class TypedTable<K, R> implements Table<K, R> {
  /** Longest name, which leaves room for what is appended to it. */
  private static final int NAME_MAX = 100;

  private final String name;
  private final Handle owner;
  private final FunctionBody.Opener opener;
  private final TypedIndex<K, R> rows;
  private final TypedIndex<String, byte[]> kept;
  private final Map<String, IndexDefinition<R, ?>> declared = new ConcurrentHashMap<>();
  private final Map<Integer, TableEntries<?, K, R>> entries = new ConcurrentHashMap<>();
  private final TableBuilds<K, R> builds;

  TypedTable(
      EngineCanopy canopy,
      Handle owner,
      FunctionBody.Opener opener,
      String name,
      Codec<K> keys,
      Codec<R> rowCodec) {
    if (IndexNames.checked(name).length() > NAME_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_INDEX_NAME,
          "the name of a table has at most " + NAME_MAX + " characters: '" + name + "'");
    }
    this.name = name;
    this.owner = owner;
    this.opener = opener;
    this.rows = (TypedIndex<K, R>) opener.open(name + ".rows", keys, rowCodec);
    this.kept =
        (TypedIndex<String, byte[]>)
            opener.open(name + ".definitions", Codec.string(), Codec.bytes());
    this.builds = new TableBuilds<>(canopy, this);
  }

  Handle owner() {
    return owner;
  }

  TypedIndex<K, R> rows() {
    return rows;
  }

  /** What is kept of it, by what it is. */
  TypedIndex<String, byte[]> kept() {
    return kept;
  }

  /** The handle knows an index from now on. */
  void declare(IndexDefinition<R, ?> definition) {
    if (declared.putIfAbsent(definition.name(), definition) != null) {
      IndexDefinition<R, ?> before = declared.get(definition.name());
      if (before != null && !before.signature().equals(definition.signature())) {
        throw mismatch(definition.name(), "was declared differently before");
      }
    }
  }

  void forget(String index) {
    declared.remove(index);
  }

  /** Checks what the handle knows against what is there. */
  void check(TableState state) {
    for (TableState.Kept index : state.indexes()) {
      IndexDefinition<R, ?> known = declared.get(index.name());
      if (index.state() != IndexState.DROPPING
          && known != null
          && !known.signature().equals(index.signature())) {
        throw mismatch(index.name(), "is " + index.signature() + ", not " + known.signature());
      }
    }
  }

  /**
   * The entries of an index.
   *
   * @throws CanopyException {@link ErrorCode#DEFINITION_MISMATCH} where the handle does not know it
   */
  TableEntries<?, K, R> entriesOf(TableState.Kept index) {
    IndexDefinition<R, ?> definition = declared.get(index.name());
    if (definition == null) {
      throw mismatch(index.name(), "is not known to this handle");
    }
    if (!definition.signature().equals(index.signature())) {
      throw mismatch(index.name(), "is " + index.signature() + ", not " + definition.signature());
    }
    TableEntries<?, K, R> open = entries.get(index.number());
    return open != null ? open : opened(index, definition);
  }

  private TableEntries<?, K, R> opened(TableState.Kept index, IndexDefinition<R, ?> definition) {
    TableEntries<?, K, R> opened =
        TableEntries.open(opener, name + ".index." + index.number(), definition, rows.keyCodec());
    entries.put(index.number(), opened);
    return opened;
  }

  /** The same for somebody who has the definition at hand. */
  <A> TableEntries<A, K, R> entriesOf(TableState.Kept index, IndexDefinition<R, A> definition) {
    if (!definition.signature().equals(index.signature())) {
      throw mismatch(index.name(), "is " + index.signature() + ", not " + definition.signature());
    }
    return TableEntries.open(
        opener, name + ".index." + index.number(), definition, rows.keyCodec());
  }

  CanopyException mismatch(String index, String what) {
    return new CanopyException(
        ErrorCode.DEFINITION_MISMATCH, "index '" + index + "' of table '" + name + "' " + what);
  }

  CanopyException unknown(String index) {
    return new CanopyException(
        ErrorCode.UNKNOWN_INDEX, "table '" + name + "' has no index '" + index + "'");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Codec<K> keyCodec() {
    return rows.keyCodec();
  }

  @Override
  public Codec<R> rowCodec() {
    return rows.valueCodec();
  }

  @Override
  public void createIndex(@Nullable IndexDefinition<R, ?> definition) {
    if (definition == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the definition is null");
    }
    builds.create(definition);
  }

  @Override
  public boolean dropIndex(String index) {
    return builds.drop(index);
  }

  @Override
  public IndexState index(String index) {
    IndexState state = indexes().get(index);
    if (state == null) {
      throw unknown(index);
    }
    return state;
  }

  @Override
  public Map<String, IndexState> indexes() {
    Map<String, IndexState> states = new TreeMap<>();
    builds.state().indexes().forEach(index -> states.put(index.name(), index.state()));
    return states;
  }

  /** Takes what an opener says of the indexes. */
  TypedTable<K, R> declareAll(List<IndexDefinition<R, ?>> definitions) {
    definitions.forEach(this::declare);
    check(builds.state());
    return this;
  }

  /** For people. */
  @Override
  public String toString() {
    return "table '" + name + "' " + keyCodec().id() + " -> " + rowCodec().id();
  }
}
