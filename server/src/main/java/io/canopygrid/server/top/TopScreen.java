package io.canopygrid.server.top;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.server.state.GridVerdict;
import io.canopygrid.server.terminal.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/**
 * The whole terminal, drawn anew a second after each look at the cluster. Looks are taken in a
 * thread of their own, so that a key ends the view also while a server does not answer. All else is
 * confined to the thread that runs it.
 */
final class TopScreen {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long KEY_MILLIS = 50;
  private static final int CTRL_C = 3;
  private static final String ENDS =
      "q ends. p50 and p99 are of all commits since a server started";

  private final Terminal terminal;
  private final Supplier<TopSample> looks;
  private final boolean coloured;
  private final Display display;
  private volatile boolean isInterrupted;
  private volatile boolean isResized = true;
  private @Nullable TopSample before;
  private @Nullable TopSample last;
  private @Nullable CanopyException failure;

  /**
   * A screen.
   *
   * @param looks each call is a look at the cluster
   */
  TopScreen(Terminal terminal, Supplier<TopSample> looks, boolean coloured) {
    this.terminal = terminal;
    this.looks = looks;
    this.coloured = coloured;
    this.display = new Display(terminal, true);
  }

  /**
   * Shows the cluster until somebody types q or Ctrl-C. A look that fails is told, and the last one
   * that did not stays.
   *
   * @throws CanopyException where the first look fails
   */
  void run() throws IOException {
    last = looks.get();
    ExecutorService thread =
        Executors.newSingleThreadExecutor(task -> {
          Thread looking = new Thread(task, "canopy-top");
          looking.setDaemon(true);
          return looking;
        });
    terminal.handle(Terminal.Signal.INT, signal -> isInterrupted = true);
    terminal.handle(Terminal.Signal.WINCH, signal -> isResized = true);
    Attributes saved = terminal.enterRawMode();
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    try {
      show(thread);
    } finally {
      thread.shutdownNow();
      terminal.puts(Capability.cursor_visible);
      terminal.puts(Capability.exit_ca_mode);
      terminal.flush();
      terminal.setAttributes(saved);
    }
  }

  private void show(ExecutorService thread) throws IOException {
    long lookedNanos = System.nanoTime();
    Future<TopSample> look = null;
    draw();
    while (!isInterrupted && !isEnd(terminal.reader().read(KEY_MILLIS))) {
      if (look == null && System.nanoTime() - lookedNanos >= PAUSE_NANOS) {
        look = thread.submit(looks::get);
      }
      if (look != null && look.isDone()) {
        took(look);
        look = null;
        lookedNanos = System.nanoTime();
        draw();
      } else if (isResized) {
        draw();
      }
    }
  }

  private static boolean isEnd(int key) {
    return key == 'q' || key == 'Q' || key == CTRL_C || key == NonBlockingReader.EOF;
  }

  private void took(Future<TopSample> look) {
    try {
      TopSample sample = look.get();
      before = last;
      last = sample;
      failure = null;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof CanopyException coded)) {
        throw new IllegalStateException(e.getCause());
      }
      failure = coded;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanopyException(ErrorCode.INTERRUPTED, "interrupted while servers are asked", e);
    }
  }

  private void draw() {
    if (isResized) {
      isResized = false;
      display.resize(terminal.getHeight(), terminal.getWidth());
      display.clear();
    }
    if (last != null) {
      int height = Math.max(1, terminal.getHeight());
      List<AttributedString> lines = lines(last, Math.max(1, terminal.getWidth()));
      display.update(lines.subList(0, Math.min(height, lines.size())), 0);
    }
  }

  private List<AttributedString> lines(TopSample sample, int width) {
    TopView view = new TopView(sample, before);
    List<AttributedString> lines = new ArrayList<>();
    if (failure != null) {
      String text = Printable.line("not now: " + failure.getMessage());
      Columns.wrapped(text, width).forEach(line -> lines.add(styled(line, AttributedStyle.RED)));
    }
    int colour = failure == null ? colour(view.verdict()) : AttributedStyle.RED;
    view.verdictLines(width).forEach(line -> lines.add(styled(line, colour)));
    view.lines(width).forEach(line -> lines.add(new AttributedString(line)));
    lines.add(AttributedString.EMPTY);
    Columns.wrapped(ENDS, width).forEach(line -> lines.add(new AttributedString(line)));
    return lines;
  }

  private AttributedString styled(String line, int colour) {
    return coloured
        ? new AttributedString(line, AttributedStyle.BOLD.foreground(colour))
        : new AttributedString(line);
  }

  private static int colour(GridVerdict verdict) {
    return switch (verdict.level()) {
      case GOOD -> AttributedStyle.GREEN;
      case AT_RISK -> AttributedStyle.YELLOW;
      case BROKEN -> AttributedStyle.RED;
    };
  }
}
