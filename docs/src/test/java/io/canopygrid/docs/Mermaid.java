package io.canopygrid.docs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the part of Mermaid that the pages use, and refuses all else: sequence diagrams, state
 * diagrams and flowcharts. It is stricter than Mermaid, where a participant or node that nobody has
 * declared is drawn as a new one.
 */
abstract sealed class Mermaid {
  private static final String ID = "([A-Za-z]\\w*)";
  private static final String STATE = "(\\[\\*\\]|[A-Za-z]\\w*)";

  /** Text without what Mermaid takes for syntax. */
  private static final String TEXT = "([^;#{}\\s][^;#{}]*)";

  private static final String QUOTED = "\"[^\";#]+\"";

  final Set<String> declared = new HashSet<>();
  private final Deque<String> open = new ArrayDeque<>();

  /** Thrown where a diagram does not parse; the message says which line, and why. */
  static final class SyntaxError extends RuntimeException {
    private static final long serialVersionUID = 1;

    SyntaxError(String message) {
      super(message);
    }
  }

  /** Parses a diagram, or throws a {@link SyntaxError}. */
  static void parse(List<String> lines) {
    Mermaid diagram = null;
    for (String line : lines) {
      String text = line.strip();
      if (text.isEmpty()) {
        continue;
      }
      try {
        if (diagram == null) {
          diagram = of(text);
        } else {
          diagram.statement(text);
        }
      } catch (SyntaxError e) {
        throw new SyntaxError(text + ": " + e.getMessage());
      }
    }
    if (diagram == null || !diagram.open.isEmpty()) {
      throw new SyntaxError(diagram == null ? "no diagram" : "no end of " + diagram.open.peek());
    }
    if (diagram.declared.isEmpty()) {
      throw new SyntaxError("nothing is declared");
    }
  }

  private static Mermaid of(String header) {
    if (header.equals("sequenceDiagram")) {
      return new Sequence();
    }
    if (header.equals("stateDiagram-v2")) {
      return new States();
    }
    if (header.matches("flowchart (TB|TD|BT|LR|RL)")) {
      return new Flowchart();
    }
    throw new SyntaxError("unknown kind of diagram");
  }

  abstract void statement(String line);

  final void declare(String id) {
    if (!declared.add(id)) {
      throw new SyntaxError(id + " is declared twice");
    }
  }

  final void use(String id) {
    if (!declared.contains(id)) {
      throw new SyntaxError(id + " is not declared");
    }
  }

  final void begin(String block) {
    open.push(block);
  }

  final void branch(String keyword, String block) {
    if (!block.equals(open.peek())) {
      throw new SyntaxError(keyword + " outside of " + block);
    }
  }

  final void end() {
    if (open.poll() == null) {
      throw new SyntaxError("end of nothing");
    }
  }

  /** Participants, messages, notes and frames. */
  private static final class Sequence extends Mermaid {
    private static final Pattern PARTICIPANT =
        Pattern.compile("(?:participant|actor) " + ID + "(?: as " + TEXT + ")?");
    private static final Pattern MESSAGE =
        Pattern.compile(ID + "(?:->>|-->>|-x|--x|-\\)|--\\))" + ID + ": " + TEXT);
    private static final Pattern NOTE =
        Pattern.compile(
            "Note (?:(?:left|right) of " + ID + "|over " + ID + "(?:," + ID + ")?): " + TEXT);
    private static final Pattern FRAME = Pattern.compile("(alt|opt|loop|par) " + TEXT);
    private static final Pattern BRANCH = Pattern.compile("(else|and) " + TEXT);

    @Override
    void statement(String line) {
      Matcher participant = PARTICIPANT.matcher(line);
      Matcher message = MESSAGE.matcher(line);
      Matcher note = NOTE.matcher(line);
      Matcher frame = FRAME.matcher(line);
      Matcher branch = BRANCH.matcher(line);
      if (line.equals("autonumber")) {
        return;
      } else if (line.equals("end")) {
        end();
      } else if (participant.matches()) {
        declare(participant.group(1));
      } else if (message.matches()) {
        use(message.group(1));
        use(message.group(2));
      } else if (note.matches()) {
        for (int group = 1; group <= 3; group++) {
          if (note.group(group) != null) {
            use(note.group(group));
          }
        }
      } else if (frame.matches()) {
        begin(frame.group(1));
      } else if (branch.matches()) {
        branch(branch.group(1), branch.group(1).equals("else") ? "alt" : "par");
      } else {
        throw new SyntaxError("not understood");
      }
    }
  }

  /** States with a name each, and transitions. */
  private static final class States extends Mermaid {
    private static final Pattern DECLARATION = Pattern.compile("state " + QUOTED + " as " + ID);
    private static final Pattern TRANSITION =
        Pattern.compile(STATE + " --> " + STATE + "(?:: " + TEXT + ")?");

    @Override
    void statement(String line) {
      Matcher declaration = DECLARATION.matcher(line);
      Matcher transition = TRANSITION.matcher(line);
      if (line.matches("direction (TB|BT|LR|RL)")) {
        return;
      } else if (declaration.matches()) {
        declare(declaration.group(1));
      } else if (transition.matches()) {
        for (int group = 1; group <= 2; group++) {
          if (!transition.group(group).equals("[*]")) {
            use(transition.group(group));
          }
        }
      } else {
        throw new SyntaxError("not understood");
      }
    }
  }

  /** Nodes with a text each, edges and subgraphs. */
  private static final class Flowchart extends Mermaid {
    private static final Pattern SUBGRAPH =
        Pattern.compile("subgraph " + ID + "\\[" + QUOTED + "\\]");
    private static final Pattern NODE =
        Pattern.compile(
            ID
                + "(?:\\[Q\\]|\\(Q\\)|\\(\\[Q\\]\\)|\\[\\(Q\\)\\]|\\(\\(Q\\)\\)|\\{Q\\})"
                    .replace("Q", QUOTED));
    private static final Pattern EDGE =
        Pattern.compile(ID + " (?:-->|---|-\\.->|==>)(?:\\|" + QUOTED + "\\|)? " + ID);

    @Override
    void statement(String line) {
      Matcher subgraph = SUBGRAPH.matcher(line);
      Matcher node = NODE.matcher(line);
      Matcher edge = EDGE.matcher(line);
      if (line.equals("end")) {
        end();
      } else if (subgraph.matches()) {
        declare(subgraph.group(1));
        begin("subgraph");
      } else if (node.matches()) {
        declare(node.group(1));
      } else if (edge.matches()) {
        use(edge.group(1));
        use(edge.group(2));
      } else {
        throw new SyntaxError("not understood");
      }
    }
  }
}
