import { ScimError } from './scim-error.ts';

/** `attribute eq value`, the attribute in lower case. */
export interface Comparison {
  readonly attribute: string;
  readonly value: string | boolean;
}

const schemaPrefix = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const comparison =
  /^\s*([A-Za-z][\w.:$-]*(?:\[[^\]"]*"[^"\]]*"\])?(?:\.\w+)?)\s+(\w+)\s+("(?:[^"\\]|\\.)*"|true|false)\s*/i;

/**
 * Parses a filter (RFC 7644 §3.4.2.2): `eq` comparisons joined by `and`, which is all that clients use to find known
 * users. Anything else is refused: half a filter would return the wrong people.
 * @throws ScimError invalidFilter
 */
export function readFilter(text: string): Comparison[] {
  const found: Comparison[] = [];
  let rest = text.slice(0, 2001);
  if (rest.length > 2000) throw invalidFilter('is longer than 2000 characters');
  for (;;) {
    const [whole, attribute = '', operator = '', literal = ''] = comparison.exec(rest) ?? [];
    if (whole === undefined) throw invalidFilter(`cannot be read at "${rest.slice(0, 50)}"`);
    if (operator.toLowerCase() !== 'eq') throw invalidFilter(`the operator "${operator}" is not supported; use eq`);
    found.push({ attribute: parseAttribute(attribute), value: parseLiteral(literal) });
    rest = rest.slice(whole.length);
    if (rest === '') return found;
    const [and] = /^and\s+/i.exec(rest) ?? [];
    if (and === undefined) throw invalidFilter(`cannot be read at "${rest.slice(0, 50)}"; join comparisons with and`);
    rest = rest.slice(and.length);
  }
}

function parseAttribute(path: string): string {
  const bare = path.replace(schemaPrefix, '').toLowerCase();
  // users have a single address
  return /^emails(\[.*\])?(\.value)?$/.test(bare) ? 'username' : bare;
}

function parseLiteral(literal: string): string | boolean {
  if (!literal.startsWith('"')) return literal.toLowerCase() === 'true';
  try {
    const text = JSON.parse(literal) as string;
    if (!text.includes('\0')) return text;
  } catch {
    // refused below as not storable
  }
  throw invalidFilter(`${literal.slice(0, 50)} is not a text`);
}

function invalidFilter(reason: string): ScimError {
  return new ScimError(400, `The filter ${reason}`, 'invalidFilter');
}
