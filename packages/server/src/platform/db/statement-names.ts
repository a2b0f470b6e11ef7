import { createHash } from 'node:crypto';
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

/** For sessions that change the server between transactions, where nothing stays prepared. */
export const noStatementNames: StatementNames = { nameOf: () => undefined, renew: () => undefined };

/**
 * Remembers the `max` most recent texts. A name is made of its text: behind a pooler, another replica that uses the same
 * name means the same text.
 */
export function createStatementNames(max = 500): StatementNames {
  const seen = new LRUCache<string, string>({ max });
  let renewals = 0;
  return {
    nameOf(text) {
      if (text.length > textLengthMax) return undefined;
      const name = seen.get(text);
      if (name === undefined) {
        seen.set(text, '');
        return undefined;
      }
      if (name !== '') return name;
      const created = `p${createHash('sha256').update(`${renewals} ${text}`).digest('hex').slice(0, 32)}`;
      seen.set(text, created);
      return created;
    },
    renew() {
      renewals += 1;
      seen.clear();
    },
  };
}
