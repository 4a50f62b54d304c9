package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for prose notice what they are meant to notice. */
final class ProseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Who asks waits.",
        "* Whoever asks\n  waits.",
        "A node asks. Not so the\nothers.",
        "| a | One that asks |",
        "Text. **Those who ask** wait.",
        "1. Those which ask wait.",
        "The node waits. What it waits for comes."
      })
  void aRiddleIsFoundInAPage(String page) {
    assertThat(Prose.riddles(Markdown.parse(page))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A node says who asks.",
        "    Who asks, in code",
        "```\nWho asks\n```",
        "Those nodes wait.",
        "The Who is a band.",
        "## What it costs",
        "| a | What these take together. |"
      })
  void plainSentencesAreNone(String page) {
    assertThat(Prose.riddles(Markdown.parse(page))).isEmpty();
  }

  @Test
  void commentsOfJavaAreRead() {
    String source =
        """
        #**
         * A lock. Whoever waits
         * sleeps.
         *
         * @return Those who wait for it
         *#
        int a; ## Who is no comment of its own line
        ## Not so
        ## here.
        #** How many there are. Whatever comes. *#
        #** It waits. It sleeps. *#
        #** Whether it waits. The node says what it waits for. *#
        """
            .replace('#', '/');
    assertThat(Prose.riddlesOfJava(source))
        .containsExactly(
            "Whoever waits sleeps.",
            "Not so here.",
            "How many there are. Whatever comes.",
            "It waits. It sleeps.");
  }

  @Test
  void onlyProseThatCanBeBrokenIsTooWide() {
    String wide = "word ".repeat(25).strip();
    String link = "[link](" + "x".repeat(120) + ")";
    String table = "| " + wide + " |";
    Markdown page = Markdown.parse(String.join("\n\n", wide, link, table, "    " + wide));
    assertThat(Prose.wideLines(page)).containsExactly("line 1: " + wide);
  }
}
