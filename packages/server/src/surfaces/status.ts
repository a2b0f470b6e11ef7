import type { Database } from '../platform/db/database.ts';
import type { Surface } from '../platform/http/server.ts';

/** `/health`, `/ready`, `/metrics`. */
export function createStatus(_database: Database): { readonly serve: Surface; stopServing(): void } {
  return { serve: () => {}, stopServing: () => {} };
}
