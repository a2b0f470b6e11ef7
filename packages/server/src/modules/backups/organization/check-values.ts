import { isNestedDeeper } from '../../../platform/http/read-json.ts';
import type { Column } from '../tables.store.ts';
import type { OrganizationHeader } from './organization-file.ts';

/** Far beyond what any request can nest; whoever reads a value may walk it by calling itself. */
const depthMax = 1_000;

/** As the database writes moments and numbers: it would also take `infinity`, `now`, years that no program reads, and `NaN`. */
const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;
const figure = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Why a value is none that an export writes into such a column, though the database might take it; undefined if it may be. */
export function findFault(
  table: string,
  { name, type, isIdentity }: Column,
  text: string,
  { keys }: OrganizationHeader,
): string | undefined {
  if (isIdentity) {
    const isKey = /^\d{1,16}$/.test(text);
    if (isKey && BigInt(text) > BigInt(keys[`${table}.${name}`] ?? 0)) return 'its key is beyond those that were given';
    return isKey ? undefined : 'a value is not of the type of its column';
  }
  if (type.startsWith('timestamp')) return moment.test(text) ? undefined : 'a value is not of the type of its column';
  if (type === 'numeric' || type === 'double precision') {
    return figure.test(text) ? undefined : 'a value is not of the type of its column';
  }
  if (!type.startsWith('json')) return undefined;
  return isNestedDeeper(text, depthMax) ? 'a value is nested too deeply' : undefined;
}
