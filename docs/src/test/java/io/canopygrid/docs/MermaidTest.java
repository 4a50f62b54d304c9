package io.canopygrid.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The diagrams of all pages parse, and the parser refuses what Mermaid would not draw as meant. */
final class MermaidTest {
  @Test
  void theDiagramsOfAllPagesParse() {
    List<String> wrong = new ArrayList<>();
    int diagrams = 0;
    for (Path page : Project.files(".md")) {
      for (Markdown.Block block : Markdown.of(page).fenced("mermaid")) {
        diagrams++;
        try {
          Mermaid.parse(block.lines());
        } catch (Mermaid.SyntaxError e) {
          wrong.add(Project.ROOT.relativize(page) + ":" + block.line() + ": " + e.getMessage());
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(diagrams).as("diagrams found at all").isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sequenceDiagram\nautonumber\nparticipant A as A node\nparticipant B\nA->>B: read\n"
            + "alt yes\nB-->>A: answer\nelse no\nloop often\nNote over A,B: wait\nend\nend",
        "stateDiagram-v2\ndirection LR\nstate \"No copy\" as none\n[*] --> none\n"
            + "none --> none: asked again\nnone --> [*]",
        """
        flowchart TD
        subgraph g["all"]
        a["one"]
        b(["two"])
        end
        a -->|"to"| b
        b -.-> g
        """
      })
  void diagramsOfTheSubsetParse(String diagram) {
    assertThatCode(() -> parse(diagram)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pie\n\"a\": 1",
        "sequenceDiagram",
        "sequenceDiagram\nparticipant A\nA->>B: to nobody",
        "sequenceDiagram\nparticipant A\nparticipant A",
        "sequenceDiagram\nparticipant A\nA->A: an unknown arrow",
        "sequenceDiagram\nparticipant A\nA->>A:",
        "sequenceDiagram\nparticipant A\nA->>A: one; two",
        "sequenceDiagram\nparticipant A\nNote over B: nobody",
        "sequenceDiagram\nparticipant A\nalt no end",
        "sequenceDiagram\nparticipant A\nend",
        "sequenceDiagram\nparticipant A\nopt one\nelse two\nend",
        "stateDiagram-v2\nstate \"A\" as a\na --> b",
        "stateDiagram-v2\nstate \"A\" as a\na -> a",
        "flowchart LR\na[\"A\"]\na --> b",
        "flowchart LR\na[A]",
        "flowchart LR\na[\"A\"]\na --> a --> a",
        "flowchart LR\nsubgraph g[\"G\"]"
      })
  void allElseIsRefused(String diagram) {
    assertThatThrownBy(() -> parse(diagram)).isInstanceOf(Mermaid.SyntaxError.class);
  }

  private static void parse(String diagram) {
    Mermaid.parse(diagram.lines().toList());
  }
}
