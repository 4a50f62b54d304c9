#!/usr/bin/env python3
"""All interleavings of the raising of a grid's level with a node of the older release that joins.

The rules are those of docs/protocol.md, Levels. Two members, a and b, run the new release; a raises
the grid from level 5 to 6. The node j speaks level 5 only: it comes and goes, and asks a member
whether it may join. A member hears of j, and of what TOP says, at any later time. Wrong is a state
in which the grid is at level 6 and j may be a member.

    python3 docs/internals/model/levels.py               # no state is wrong
    python3 docs/internals/model/levels.py --mutations   # without each rule one is
"""

import argparse
import sys
from collections import deque
from typing import NamedTuple

MEMBERS = ("a", "b")

MUTATIONS = {
    "NOT_CLOSED": "the grid is raised without a change of what those who join must speak",
    "NOT_WAITED": "members need not tell the new level before the second look",
    "ONE_LOOK": "nobody looks again after the change",
    "OWN_VIEW": "only the nodes that a itself reaches are looked at",
    "VIEW_FIRST": "a member says whom it reaches before it says which level it tells",
}


class State(NamedTuple):
    """The grid.

    joined, level: the entry of TOP
    tells: by member, the level that it tells those who ask
    sees: by member, whether j is among those whom it reaches
    present: whether j is there
    admitted: whether a member has told j level 5
    step: of a, which raises the grid: a look at one member after the other, then the next step
    half: of a member that answers, what it has said first; None: it answers at once
    """

    level: int = 5
    joined: int = 5
    tells: tuple = (5, 5)
    sees: tuple = (False, False)
    present: bool = False
    admitted: bool = False
    step: str = "look1:0"
    half: object = None


def put(values, place, value):
    return values[:place] + (value,) + values[place + 1 :]


def of_the_joiner(state):
    """The steps of j and of those who hear of it."""
    if not state.present:
        yield "j comes", state._replace(present=True)
    else:
        yield "j goes", state._replace(present=False, admitted=False)
    for i, name in enumerate(MEMBERS):
        if state.sees[i] != state.present:
            yield f"{name} hears of that", state._replace(sees=put(state.sees, i, state.present))
        # A member answers only those whom it reaches.
        if state.present and state.sees[i] and not state.admitted:
            if state.tells[i] == 5:
                yield f"{name} tells j level 5", state._replace(admitted=True)
            else:
                yield f"{name} tells j level 6, and it goes", state._replace(present=False)
        if state.tells[i] != state.joined:
            yield f"{name} looks at TOP", state._replace(tells=put(state.tells, i, state.joined))


def answer(state, i, mutation, needs):
    """The answer of member i: whether a goes on; with VIEW_FIRST in two steps."""
    looks = i == 0 or mutation != "OWN_VIEW"
    if mutation == "VIEW_FIRST":
        if state.half is None:
            yield "says whom it reaches", state._replace(half=(i, state.sees[i])), None
            return
        sees, state = state.half[1], state._replace(half=None)
    else:
        sees = state.sees[i]
    tells = state.tells[i] >= needs
    yield "answers", state, tells and not (looks and sees)


def of_the_raise(state, mutation):
    """The steps of a, which raises the grid. Where an answer is not as it must be it looks anew."""
    name, _, place = state.step.partition(":")
    if name in ("look1", "look2"):
        i = int(place)
        needs = 6 if name == "look2" and mutation != "NOT_WAITED" else 5
        for what, after, is_right in answer(state, i, mutation, needs):
            if is_right is None:
                yield f"{MEMBERS[i]} {what}", after
            elif not is_right:
                yield f"{MEMBERS[i]} {what}: not yet", after._replace(step=f"{name}:0")
            elif i + 1 < len(MEMBERS):
                yield f"{MEMBERS[i]} {what}", after._replace(step=f"{name}:{i + 1}")
            else:
                following = "close" if name == "look1" else "raise"
                yield f"{MEMBERS[i]} {what}", after._replace(step=following)
    elif name == "close":
        if mutation == "NOT_CLOSED":
            yield "a goes on", state._replace(step="raise")
        else:
            after = "wait" if mutation == "ONE_LOOK" else "look2:0"
            yield "who joins must speak level 6", state._replace(joined=6, step=after)
    elif name == "wait":
        if all(tells == 6 for tells in state.tells):
            yield "all tell level 6", state._replace(step="raise")
    elif name == "raise":
        yield "the grid is at level 6", state._replace(level=6, joined=6, step="done")


def run(mutation):
    """Goes through all states; the way to a wrong one, or None, and how many there are."""
    start = State()
    came = {start: None}
    waiting = deque([start])
    raised = False
    while waiting:
        state = waiting.popleft()
        raised |= state.level == 6
        if state.level == 6 and state.present and state.admitted:
            way = []
            while came[state] is not None:
                what, state = came[state]
                way.append(what)
            return way[::-1], len(came)
        for steps in (of_the_joiner(state), of_the_raise(state, mutation)):
            for what, after in steps:
                if after not in came:
                    came[after] = (what, state)
                    waiting.append(after)
    if not raised:
        raise AssertionError("the grid is never raised")
    return None, len(came)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutations", action="store_true", help="leave out one rule after the other")
    options = parser.parse_args()
    failed = False
    for mutation in MUTATIONS if options.mutations else [None]:
        way, states = run(mutation)
        failed |= (way is None) == (mutation is not None)
        print(f"{mutation or 'all rules'}: {states} states, {'none wrong' if way is None else 'wrong:'}")
        for what in way or []:
            print(f"    {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
