import { LRUCache } from 'lru-cache';

/** Longer texts are rarely repeated as they are, and a server keeps every prepared text in memory. */
const textLengthMax = 8_192;

/**
 * Which statements are prepared: a text gets a name when it is seen for the second time, so that hot statements are
 * parsed once per connection and statements built for one request leave nothing behind. Keeps the `max` most recent.
 */
export function createStatementNames(max = 500): (text: string) => string | undefined {
  const seen = new LRUCache<string, string>({ max });
  let count = 0;
  return (text) => {
    if (text.length > textLengthMax) return undefined;
    const name = seen.get(text);
    if (name === undefined) {
      seen.set(text, '');
      return undefined;
    }
    if (name !== '') return name;
    count += 1;
    const created = `s${count}`;
    seen.set(text, created);
    return created;
  };
}
