package io.canopygrid.text;

import java.util.Collection;
import java.util.Locale;

/** Finds the name that a person who mistyped one may have meant. */
public final class NearestName {
  private NearestName() {}

  /**
   * The candidate that takes the fewest edits, the first of several; empty where none is near. Near
   * is a candidate that the name begins with, or of which at most a third, or one character, is
   * edited.
   */
  public static String of(String mistyped, Collection<String> candidates) {
    String nearest = "";
    int fewest = Integer.MAX_VALUE;
    for (String candidate : candidates) {
      String written = mistyped.toLowerCase(Locale.ROOT);
      String name = candidate.toLowerCase(Locale.ROOT);
      int edits = edits(written, name);
      boolean near = edits <= Math.max(1, name.length() / 3) || written.startsWith(name);
      if (near && edits < fewest) {
        fewest = edits;
        nearest = candidate;
      }
    }
    return nearest;
  }

  /** Characters to insert, drop, replace, or swap with the next one (optimal string alignment). */
  public static int edits(String a, String b) {
    int[][] table = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
          continue;
        }
        int differs = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1);
        best = Math.min(best, table[i - 1][j - 1] + differs);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, table[i - 2][j - 2] + 1);
        }
        table[i][j] = best;
      }
    }
    return table[a.length()][b.length()];
  }
}
