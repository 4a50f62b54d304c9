// The indexes to choose from, and one that a screen is about.

import { get } from './api.js';
import { choice, empty } from './page.js';

/**
 * Lets people choose an index. Calls `use` with the chosen one, at once and after each choice; the
 * address remembers it.
 */
export async function chooseIndex(body, parameters, remember, use) {
  const indexes = (await get('/indexes')).indexes;
  if (indexes.length === 0) {
    body.append(
      empty(
        'There is no index yet. A program makes one when it opens it; by hand: create NAME KEYS VALUES in canopy shell.',
      ),
    );
    return;
  }
  const wanted = parameters.get('index');
  const chosen = indexes.find((one) => one.index === wanted) ?? indexes[0];
  const names = indexes.map((one) => [one.index, `${one.index} (${one.keys} → ${one.values})`]);
  const select = choice('Index', names, chosen.index, (name) => {
    remember({ index: name });
    use(indexes.find((one) => one.index === name));
  });
  body.prepend(select);
  await use(chosen);
}
