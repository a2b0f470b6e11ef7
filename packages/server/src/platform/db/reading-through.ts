import type { Database, Reader } from './database.ts';
import { createTogether } from './spare-reads.ts';

/** The database as another reader sees it, such as an open transaction. It writes nothing. */
export function readingThrough(database: Pick<Database, 'engine'>, reader: Reader): Database {
  const refused = () => Promise.reject(new Error('What reads through another reader writes nothing'));
  const { rows, first } = reader;
  const through: Reader = { rows: rows.bind(reader) as Reader['rows'], first: first.bind(reader) as Reader['first'] };
  return {
    ...through,
    engine: database.engine,
    standby: through,
    together: createTogether(0),
    transaction: refused,
    executeAlone: refused,
    close: refused,
  };
}
