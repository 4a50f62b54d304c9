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
      Matcher m;
      if (line.equals("autonumber")) {
        return;
      } else if (line.equals("end")) {
        end();
      } else if ((m = PARTICIPANT.matcher(line)).matches()) {
        declare(m.group(1));
      } else if ((m = MESSAGE.matcher(line)).matches()) {
        use(m.group(1));
        use(m.group(2));
      } else if ((m = NOTE.matcher(line)).matches()) {
        for (int group = 1; group <= 3; group++) {
          if (m.group(group) != null) {
            use(m.group(group));
          }
        }
      } else if ((m = FRAME.matcher(line)).matches()) {
        begin(m.group(1));
      } else if ((m = BRANCH.matcher(line)).matches()) {
        branch(m.group(1), m.group(1).equals("else") ? "alt" : "par");
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
      Matcher m;
      if (line.matches("direction (TB|BT|LR|RL)")) {
        return;
      } else if ((m = DECLARATION.matcher(line)).matches()) {
        declare(m.group(1));
      } else if ((m = TRANSITION.matcher(line)).matches()) {
        for (int group = 1; group <= 2; group++) {
          if (!m.group(group).equals("[*]")) {
            use(m.group(group));
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
      Matcher m;
      if (line.equals("end")) {
        end();
      } else if ((m = SUBGRAPH.matcher(line)).matches()) {
        declare(m.group(1));
        begin("subgraph");
      } else if ((m = NODE.matcher(line)).matches()) {
        declare(m.group(1));
      } else if ((m = EDGE.matcher(line)).matches()) {
        use(m.group(1));
        use(m.group(2));
      } else {
        throw new SyntaxError("not understood");
      }
    }
  }
}
