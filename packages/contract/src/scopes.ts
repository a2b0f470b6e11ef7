import { z } from 'zod';
import { type Operation, onlyReads } from './operation.ts';

/** What can be restricted apart: the resources of the published API, and those that are only ours. */
const scopeResources = [
  'actions',
  'ai',
  'apps',
  'audit-log',
  'blueprints',
  'entities',
  'integrations',
  'llm-providers',
  'mcp-servers',
  'memory',
  'migrations',
  'organization',
  'pages',
  'runs',
  'scorecards',
  'secrets',
  'teams',
  'tokens',
  'users',
  'webhooks',
] as const;

const verbs = ['read', 'create', 'update', 'delete'] as const;

/** Every scope there is; wildcards are `*` for everything and `read:*` for a verb on everything. */
export const scopes: readonly string[] = [
  ...scopeResources.flatMap((resource) => verbs.map((verb) => `${verb}:${resource}`)),
  'execute:actions',
  'invoke:ai',
];
const wildcards = ['*', ...verbs.map((verb) => `${verb}:*`)];
const known = new Set([...scopes, ...wildcards]);

/** A scope as it is written into a token or a credential. */
const scope = z.string().refine((text) => known.has(text), {
  error: 'is not a scope: write verb:resource such as read:entities, a wildcard such as read:*, or *',
});

export const scopeList = z
  .array(scope)
  .min(1)
  .max(known.size)
  .transform((list) => [...new Set(list)].sort());

const verbOf = { GET: 'read', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' } as const;

/** Paths whose first segment is not their resource; the first that fits counts. */
const resourceOf: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/organization\/secrets/, 'secrets'],
  [/^\/v1\/users\/me\/tokens|^\/v1\/organization\/tokens/, 'tokens'],
  [/^\/v1\/(agent|quota|ai)\b/, 'ai'],
  [/^\/v1\/(actions\/runs|runs)\b|\/runs$/, 'runs'],
  [/^\/v1\/blueprints\/.*scorecards/, 'scorecards'],
  [/^\/v1\/blueprints\/.*entities/, 'entities'],
  [/^\/v1\/blueprints\/[^/]+\/actions/, 'actions'],
  [/^\/v1\/(integration|webhooks|ingest|kafka-credentials|lifecycle)\b/, 'integrations'],
  [/^\/v1\/mcp\/servers\b/, 'mcp-servers'],
  [/^\/v1\/sidebars\b/, 'pages'],
  [/^\/v1\/workflows\b/, 'actions'],
  [/^\/v1\/rotate-credentials\b/, 'users'],
];

/**
 * The scope that a token needs for an operation; null if any token will do. What an operation does not say follows from
 * what it does and its path, so that a new one is never open to a token that may only read.
 */
export function requiredScope(operation: Operation): string | null {
  const { scope: declared, method, path } = operation;
  if (declared !== undefined) return declared;
  const resource = resourceOf.find(([pattern]) => pattern.test(path))?.[1] ?? path.split('/')[2];
  return `${onlyReads(operation) ? 'read' : verbOf[method]}:${resource}`;
}

/** Whether a list of scopes allows what needs this one; without a list there is no restriction. */
export function scopesCover(granted: readonly string[] | undefined, needed: string): boolean {
  if (granted === undefined) return true;
  const [verb] = needed.split(':');
  return granted.includes('*') || granted.includes(needed) || granted.includes(`${verb}:*`);
}

/** What two restrictions allow together. */
export function narrowScopes(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return [
    ...new Set([...one.filter((each) => scopesCover(other, each)), ...other.filter((each) => scopesCover(one, each))]),
  ];
}
