package io.canopygrid.it.console;

/** Tables of a screen, as expressions of JavaScript. */
final class TableOf {
  private TableOf() {}

  /** The table whose caption begins so. */
  static String caption(String beginning) {
    return "[...document.querySelectorAll('.screen .table')].find((one) => one.querySelector("
        + "'caption').textContent.startsWith('"
        + beginning
        + "'))";
  }

  /** The cells of that table by rows. */
  static String rows(String beginning) {
    return "[...("
        + caption(beginning)
        + "?.querySelectorAll('tbody tr') ?? [])].map((row) => [...row.cells].map((cell) =>"
        + " cell.innerText))";
  }
}
