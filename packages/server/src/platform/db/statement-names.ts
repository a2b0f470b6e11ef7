import { LRUCache } from 'lru-cache';

/** Longer texts are rarely repeated as they are, and a server keeps every prepared text in memory. */
const textLengthMax = 8_192;

export interface StatementNames {
  /**
   * A text gets a name when seen twice: hot statements are parsed once per connection, one-off statements leave nothing
   * behind.
   */
  nameOf(text: string): string | undefined;
  /** Gives every text a new name, so that nothing prepared before is used again. */
  renew(): void;
}

/** Remembers the `max` most recent texts. A name is never given twice. */
export function createStatementNames(max = 500): StatementNames {
  const seen = new LRUCache<string, string>({ max });
  let count = 0;
  return {
    nameOf(text) {
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
    },
    renew: () => seen.clear(),
  };
}
