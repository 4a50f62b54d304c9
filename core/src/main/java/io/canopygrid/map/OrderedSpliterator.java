package io.canopygrid.map;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a view in order. Their number is not asked for, as that costs requests and may be
 * another one by the end.
 */
final class OrderedSpliterator<E> extends Spliterators.AbstractSpliterator<E> {
  private final Iterator<E> elements;
  private final @Nullable Comparator<? super E> order;

  private OrderedSpliterator(
      Iterator<E> elements, int traits, @Nullable Comparator<? super E> order) {
    super(Long.MAX_VALUE, ORDERED | NONNULL | traits);
    this.elements = elements;
    this.order = order;
  }

  /** Elements of which two may be equal. */
  static <E> OrderedSpliterator<E> of(Iterator<E> elements) {
    return new OrderedSpliterator<>(elements, 0, null);
  }

  /** Elements of which no two are equal. */
  static <E> OrderedSpliterator<E> ofDistinct(Iterator<E> elements) {
    return new OrderedSpliterator<>(elements, DISTINCT, null);
  }

  /**
   * Elements that are sorted.
   *
   * @param order null: their own
   */
  static <E> OrderedSpliterator<E> ofSorted(
      Iterator<E> elements, @Nullable Comparator<? super E> order) {
    return new OrderedSpliterator<>(elements, DISTINCT | SORTED, order);
  }

  @Override
  public boolean tryAdvance(Consumer<? super E> action) {
    if (!elements.hasNext()) {
      return false;
    }
    action.accept(elements.next());
    return true;
  }

  @Override
  public @Nullable Comparator<? super E> getComparator() {
    return hasCharacteristics(SORTED) ? order : super.getComparator();
  }
}
