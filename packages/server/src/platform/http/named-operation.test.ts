import { operations } from '@portolan/contract/operations';
import { describe, expect, test } from 'vitest';
import { barredOperations } from './barred-operations.ts';
import { namedOperation } from './named-operation.ts';

const base = 'https://portal.example.com/at';

/** As the own API reads addresses: below its base, and nothing else is ours. */
const toPath = (url: string): string | undefined => {
  const asked = URL.canParse(url) ? new URL(url) : undefined;
  if (asked?.origin !== 'https://portal.example.com' || !asked.pathname.startsWith('/at/')) return undefined;
  return `${asked.pathname.slice('/at'.length)}${asked.search}`;
};

/** The operation that a call reaches, or why it reaches none. */
function reached(url: string, rendered: string, method = 'GET', written = method): string {
  const path = toPath(rendered);
  if (path === undefined) throw new Error(`${rendered} is not ours`);
  try {
    const { operation, filled } = namedOperation({
      written: { method: written, url },
      method,
      path,
      base,
      pathOf: toPath,
    });
    return [operation.id, ...Object.entries(filled).map(([name, value]) => `${name}=${value}`)].join(' ');
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a call of our own API reaches the operation that was written', () => {
  test.each([
    ['/v1/blueprints', '/v1/blueprints', 'listBlueprints'],
    ['/v1/blueprints/{{ .x }}', '/v1/blueprints/cart', 'getBlueprint blueprint_identifier=cart'],
    ['/v1/blueprints/service', '/v1/blueprints/service', 'getBlueprint'],
    [
      '/v1/blueprints/{{ .x }}/entities/{{ .y }}',
      '/v1/blueprints/cart/entities/a%2Fb',
      'getEntity blueprint_identifier=cart entity_identifier=a/b',
    ],
    ['/v1/blueprints/{{ .x }}-x', '/v1/blueprints/cart-x', 'getBlueprint blueprint_identifier=cart-x'],
    ['/v1/users/{{ .x }}', '/v1/users/jo@example.com', 'getUser user_email=jo@example.com'],
    ['/v1/audit-log?action={{ .x }}', '/v1/audit-log?action=a', 'getAuditLog'],
    ['/v1/blueprints/%73ervice', '/v1/blueprints/%73ervice', 'getBlueprint'],
  ])('%s filled as %s', (written, rendered, expected) => {
    expect(reached(base + written, base + rendered)).toBe(expected);
  });

  test('also where a template stands for the address of the API itself', () => {
    expect(reached('{{ .secrets.HOME }}/v1/blueprints', `${base}/v1/blueprints`)).toBe('listBlueprints');
  });
});

describe('and no other', () => {
  test.each([
    // out of its part of the path
    ['/v1/blueprints/{{ .x }}', '/v1/blueprints/cart/entities', 'leaves'],
    ['/v1/blueprints/{{ .x }}/entities', '/v1/blueprints/cart', 'leaves'],
    ['/v1/blueprints/{{ .x }}/entities', '/v1/blueprints/cart?/entities', 'leaves'],
    ['/v1/blueprints/{{ .x }}', '/v1/blueprints/', 'leaves'],
    ['/v1/{{ .x }}', '/v1/blueprints/cart', 'leaves'],
    // chooses what is called
    ['/v1/{{ .x }}', '/v1/apps', 'chooses'],
    ['/v1/{{ .x }}', '/v1/blueprints', 'chooses'],
    ['/v1/bl{{ .x }}', '/v1/blueprints', 'chooses'],
    ['/v1/blueprints/{{ .x }}/{{ .y }}', '/v1/blueprints/cart/entities', 'chooses'],
    // adds to the query
    ['/v1/blueprints/{{ .x }}', '/v1/blueprints/cart?exclude=a', 'query'],
    ['/v1/audit-log?action={{ .x }}', '/v1/audit-log?action=a&run_id=b', 'query'],
    ['/v1/audit-log?{{ .x }}=a', '/v1/audit-log?action=a', 'query'],
    ['/v1/audit-log?{{ .x }}', '/v1/audit-log?', 'query'],
    // is spelt otherwise than any operation
    ['//v1/blueprints', '//v1/blueprints', 'no operation'],
    ['/v1/blueprints/', '/v1/blueprints/', 'no operation'],
    ['/v2/blueprints', '/v2/blueprints', 'no operation'],
    ['/mcp', '/mcp', 'no operation'],
    ['/scim/v2/Users', '/scim/v2/Users', 'no operation'],
  ])('%s filled as %s', (written, rendered, why) => {
    expect(reached(base + written, base + rendered)).toContain(why);
  });

  test('where the host is filled in', () => {
    expect(reached('https://{{ .host }}/at/v1/blueprints', `${base}/v1/blueprints`)).toContain('host');
    expect(reached('{{ .url }}', `${base}/v1/blueprints`)).toContain('path');
    expect(reached('https://elsewhere.example.com/{{ .x }}', `${base}/v1/blueprints`)).toContain('host');
  });

  test('where the method is filled in', () => {
    expect(reached(`${base}/v1/blueprints`, `${base}/v1/blueprints`, 'POST', '{{ .x }}')).toContain('method');
  });
});

describe('closed to runs', () => {
  test('are only operations that there are', () => {
    const ids = new Set<string>(operations.map(({ id }) => id));
    expect(barredOperations.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('is every operation without a token that is not for events or for reading how to sign in', () => {
    const open = operations.filter(({ id, access }) => access === 'public' && !barredOperations.includes(id));
    expect(open.map(({ id }) => id)).toEqual([
      'getSignInOptions',
      'receiveSourceEvent',
      'ingestWebhook',
      'callWorkflowTrigger',
      'chatApplicationEvent',
    ]);
  });

  test('is every operation whose answer holds what signs in', () => {
    const holding = operations.filter(({ answer }) => collectKeys(answer).some((key) => secretKeys.has(key)));
    const closed = (id: string, access: string): boolean => access === 'operator' || barredOperations.includes(id);
    expect(holding.filter(({ id, access }) => !closed(id, access)).map(({ id }) => id)).toEqual(withoutValues);
    expect(holding.length).toBeGreaterThan(8);
  });
});

const secretKeys = new Set(['secret', 'clientSecret', 'accessToken', 'token', 'credentials', 'webhookKey']);
/** Credentials without their secret, and names of the organization's secrets without their values. */
const withoutValues = ['listApps', 'renameApp', 'createSecret', 'getSecret', 'patchSecret'];

/** Every key of a schema of an answer. */
function collectKeys(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const { def } = (schema as { readonly _zod?: { readonly def: Record<string, unknown> } })._zod ?? {};
  if (!def) return [];
  const { shape, element, innerType, options, valueType, left, right } = def;
  const nested = [
    ...Object.values((shape as object | undefined) ?? {}),
    ...((options as unknown[] | undefined) ?? []),
    ...[element, innerType, valueType, left, right],
  ];
  return [...Object.keys((shape as object | undefined) ?? {}), ...nested.flatMap((each) => collectKeys(each, seen))];
}
