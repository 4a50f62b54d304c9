package io.canopygrid.map;

import java.util.Iterator;
import java.util.function.Function;

/** The elements of another iterator, each turned into something else. */
final class MappedIterator<S, E> implements Iterator<E> {
  private final Iterator<S> source;
  private final Function<S, E> mapping;

  MappedIterator(Iterator<S> source, Function<S, E> mapping) {
    this.source = source;
    this.mapping = mapping;
  }

  @Override
  public boolean hasNext() {
    return source.hasNext();
  }

  @Override
  public E next() {
    return mapping.apply(source.next());
  }

  @Override
  public void remove() {
    source.remove();
  }
}
