package io.canopygrid.it.house;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Groups of classes that know each other in a circle: the strongly connected components of the
 * dependencies between top-level classes, found by Tarjan's algorithm. A nested class counts as
 * part of the class around it.
 */
final class ClassCycles {
  private final Map<String, Set<String>> knows = new TreeMap<>();
  private final Map<String, Integer> index = new HashMap<>();
  private final Map<String, Integer> low = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final Set<String> onPath = new HashSet<>();
  private final List<Set<String>> cycles = new ArrayList<>();

  private ClassCycles(Iterable<JavaClass> classes) {
    for (JavaClass one : classes) {
      Set<String> known = knows.computeIfAbsent(topLevel(one), name -> new TreeSet<>());
      for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
        known.add(topLevel(dependency.getTargetClass().getBaseComponentType()));
      }
    }
    knows.forEach((name, known) -> {
      known.retainAll(knows.keySet());
      known.remove(name);
    });
  }

  /** The circles among these classes, each sorted, without those of one class alone. */
  static List<Set<String>> among(Iterable<JavaClass> classes) {
    ClassCycles search = new ClassCycles(classes);
    for (String name : search.knows.keySet()) {
      if (!search.index.containsKey(name)) {
        search.visit(name);
      }
    }
    return search.cycles;
  }

  private void visit(String name) {
    int own = index.size();
    index.put(name, own);
    low.put(name, own);
    path.push(name);
    onPath.add(name);
    for (String next : knows.getOrDefault(name, Set.of())) {
      if (!index.containsKey(next)) {
        visit(next);
        low.merge(name, low.getOrDefault(next, own), Math::min);
      } else if (onPath.contains(next)) {
        low.merge(name, index.getOrDefault(next, own), Math::min);
      }
    }
    if (low.getOrDefault(name, own) == own) {
      closeComponentOf(name);
    }
  }

  private void closeComponentOf(String name) {
    Set<String> component = new TreeSet<>();
    String member;
    do {
      member = path.pop();
      onPath.remove(member);
      component.add(member);
    } while (!member.equals(name));
    if (component.size() > 1) {
      cycles.add(Collections.unmodifiableSet(component));
    }
  }

  private static String topLevel(JavaClass one) {
    String name = one.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
