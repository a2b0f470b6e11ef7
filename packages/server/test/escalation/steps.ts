import type { Operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import { requiredScope } from '@portolan/contract/scopes';
import type { Answer } from '../build-test-app.ts';
import type { Wish } from './recipes.ts';
import type { Row, Rows } from './rows.ts';

/** One request of a sequence. Symbols such as `<newest action_runs.id>` stand for what is only known then. */
export interface Step extends Wish {
  /** The exporter is an integration of administrators that does what its mapping says. */
  readonly by: 'attacker' | 'mia' | 'exporter';
}

/** The request with every symbol replaced by what it means in this state; undefined where there is no such thing. */
export function fillIn(
  { path, body }: Wish,
  rows: Rows,
): { readonly path: string; readonly body?: unknown } | undefined {
  let isMissing = false;
  const fill = (text: string): string =>
    text.replace(
      /<(?:newest )?(\w+)\.(\w+)(?: of ([^>]+))?>/g,
      (_all, table: string, column: string, identifier?: string) => {
        const found = identifier === undefined ? findNewest(rows[table]) : named(rows[table], identifier);
        if (!found) isMissing = true;
        return String(found?.[column] ?? '');
      },
    );
  const filled = body === undefined ? {} : { body: JSON.parse(fill(JSON.stringify(body))) };
  const request = { path: fill(path), ...filled };
  return isMissing ? undefined : request;
}

function findNewest(rows: readonly Row[] = []): Row | undefined {
  const age = (row: Row): string => `${row['created_at']} ${String(row['key'] ?? '').padStart(20)}`;
  return [...rows].sort((one, other) => (age(one) < age(other) ? 1 : -1))[0];
}

function named(rows: readonly Row[] = [], identifier: string): Row | undefined {
  return rows.find((row) => row['identifier'] === identifier);
}

const patterns = operations.flatMap((operation) =>
  [operation.path, ...(operation.aliases ?? [])].map((path) => ({
    operation,
    literal: path.replace(/\{\w+\}/g, '').length,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
);

/** The operation that a request reaches; of several patterns that fit, the one that says most. */
function operationAt(method: string, path: string): Operation | undefined {
  const bare = path.split('?')[0] ?? '';
  return patterns
    .filter(({ operation, pattern }) => operation.method === method && pattern.test(bare))
    .sort((one, other) => other.literal - one.literal)[0]?.operation;
}

/** What a request to our own API needs, if it reaches an operation that needs anything. */
export function findNeed(
  method: string,
  path: string,
): { readonly role: 'Admin' | 'Member'; readonly scope: string } | undefined {
  const operation = operationAt(method, path);
  const scope = operation && requiredScope(operation);
  if (!operation || !scope || operation.access === 'public') return undefined;
  return { role: operation.access === 'admin' ? 'Admin' : 'Member', scope };
}

const whoIs = { attacker: 'the attacker', mia: 'mia, a member', exporter: 'the integration' } as const;

/** A sequence as a person reads it. */
export function printAttack(who: string, steps: readonly Step[], claims: readonly string[]): string {
  const lines = steps.map(({ by, operation, method, path, body }, index) => {
    const content = body === undefined ? '' : ` ${JSON.stringify(body)}`;
    return `  ${index + 1}. ${whoIs[by]}: ${method} ${path}${content}   (${operation})`;
  });
  return [`${who}`, ...lines, ...claims.map((claim) => `  => ${claim}`)].join('\n');
}

/** Every text in an answer, however deep. */
export function textsIn(answer: Answer): string[] {
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (Array.isArray(value)) value.forEach(look);
    else if (value && typeof value === 'object') Object.values(value).forEach(look);
  };
  look(answer.body);
  return found;
}
