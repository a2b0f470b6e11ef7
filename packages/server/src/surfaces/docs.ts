import type { Surface } from '../platform/http/server.ts';

/** `/openapi.json` and `/docs`. */
export function createDocs(): Surface {
  return () => {};
}
