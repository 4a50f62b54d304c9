package io.canopygrid.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import java.util.ArrayList;
import java.util.List;

/** Lists of nodes' addresses. */
public record MemberList() implements Kind<List<String>> {
  @Override
  public String what() {
    return "list";
  }

  @Override
  public String range() {
    return "host:port, host or [address]:port, at most " + ClusterConfig.MEMBERS_MAX;
  }

  @Override
  public List<String> parse(String text) throws WrongValueException {
    List<String> members = new ArrayList<>();
    for (String member : text.split(",", -1)) {
      members.add(checked(member.strip()));
    }
    return members;
  }

  @Override
  public List<String> read(FileNode node) throws WrongValueException {
    if (!(node instanceof FileNode.Sequence sequence)) {
      throw new WrongValueException("a list [\"host:port\", …]");
    }
    List<String> members = new ArrayList<>();
    for (FileNode item : sequence.items()) {
      if (!(item instanceof FileNode.Scalar scalar) || scalar.type() != FileNode.Type.TEXT) {
        throw new WrongValueException("a list of texts host:port");
      }
      members.add(checked(scalar.text()));
    }
    if (members.size() > ClusterConfig.MEMBERS_MAX) {
      throw new WrongValueException("at most " + ClusterConfig.MEMBERS_MAX + " members");
    }
    return members;
  }

  private static String checked(String member) throws WrongValueException {
    try {
      ClusterConfig.of("any").members(member);
      return member;
    } catch (CanopyException e) {
      throw new WrongValueException(
          "a list of host:port, host or [address]:port with ports from 1 to 65535, not '"
              + member
              + "'");
    }
  }

  @Override
  public String text(List<String> value) {
    return String.join(",", value);
  }

  @Override
  public String yaml(List<String> value) {
    List<String> quoted = value.stream().map(member -> '"' + member + '"').toList();
    return "[" + String.join(", ", quoted) + "]";
  }

  @Override
  public void schema(ObjectNode schema) {
    schema.put("type", "array").put("maxItems", ClusterConfig.MEMBERS_MAX);
    schema.putObject("items").put("type", "string");
    schema.put("x-range", range());
  }
}
