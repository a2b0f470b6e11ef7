import { operations } from '@portolan/contract/operations';
import { scopes as grantable, requiredScope } from '@portolan/contract/scopes';
import { expect } from 'vitest';
import { type Authority, nothing } from './authority.ts';
import { createChance } from './chance.ts';
import { readHoldings } from './holdings.ts';
import type { Rows } from './rows.ts';
import type { World } from './world.ts';

/** Who begins a sequence: whose credential it is, and what it is restricted to; null for all that its owner may do. */
export interface Start {
  readonly as: 'machine' | 'boss' | 'mia' | 'max' | 'mod';
  readonly scopes: readonly string[] | null;
}

export interface Attacker {
  readonly token: string;
  /** What the credential may do before the first step. */
  readonly authority: Authority;
  /** Everything that is stored before the first step. */
  readonly rows: Rows;
}

export function describeStart({ as, scopes }: Start): string {
  const whose = {
    machine: 'credentials of the organization, role Admin',
    boss: 'a token of an administrator',
    mia: 'a token of a member',
    max: 'a token of a member of the team owners',
    mod: 'a token of a moderator',
  }[as];
  return `${whose}, ${scopes === null ? 'not restricted' : `restricted to ${listed(scopes)}`}`;
}

function listed(scopes: readonly string[]): string {
  const more = scopes.length > 8 ? ` and ${scopes.length - 8} more` : '';
  return `${scopes.slice(0, 8).join(', ')}${more}`;
}

/** Makes the credential that a sequence begins with. */
export async function makeAttacker(world: World, { as, scopes }: Start): Promise<Attacker> {
  const { request } = world.app;
  const restriction = scopes === null ? {} : { scopes };
  let token: string;
  if (as === 'machine') {
    const made = await request('POST', '/v1/apps', {
      token: world.tokens.root,
      body: { name: 'Attacker', ...restriction },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id: clientId, secret: clientSecret } = made.body.app;
    token = (await request('POST', '/v1/auth/access_token', { token: null, body: { clientId, clientSecret } })).body
      .accessToken;
  } else {
    const body = { name: 'Attacker', ...restriction };
    const made = await request('POST', '/v1/users/me/tokens', { token: world.tokens[as], body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    token = made.body.accessToken;
  }
  const rows = await world.listener.read();
  const before = readHoldings(world.start);
  const [made] = [...readHoldings(rows)].filter(([key]) => !before.has(key));
  return { token, authority: made?.[1] ?? nothing, rows };
}

/** Scopes that mean something together: what can be made with one is used with the other. */
const families: readonly (readonly string[])[] = [
  ['create:users', 'update:users', 'delete:users', 'create:teams', 'update:teams'],
  ['create:actions', 'update:actions', 'execute:actions', 'update:runs', 'create:runs'],
  ['create:integrations', 'update:integrations', 'create:migrations'],
  ['create:apps', 'update:apps', 'create:tokens', 'update:tokens'],
  ['create:entities', 'update:entities', 'update:blueprints', 'create:blueprints'],
];

/** Every single scope, every pair within a family, and the people who are no administrators without restriction. */
const systematicStarts: readonly Start[] = [
  ...(['mia', 'max', 'mod'] as const).map((as) => ({ as, scopes: null })),
  ...families.flatMap((family) =>
    family.flatMap((one, index) =>
      family.slice(index + 1).map((other) => ({ as: 'machine' as const, scopes: [one, other] })),
    ),
  ),
  ...grantable
    .filter((scope) => operations.some((operation) => operation.method !== 'GET' && requiredScope(operation) === scope))
    .map((scope, index) => ({ as: index % 2 === 0 ? ('machine' as const) : ('boss' as const), scopes: [scope] })),
  // what the guide recommends for SCIM
  { as: 'boss', scopes: ['read', 'create', 'update', 'delete'].flatMap((verb) => [`${verb}:users`, `${verb}:teams`]) },
];

/** The start of a sequence: the systematic ones in turn, then subsets by chance. */
export function chooseStart(index: number, seed: number): Start {
  const systematic = systematicStarts[index % (systematicStarts.length * 2)];
  if (systematic) return systematic;
  const chance = createChance(seed + index);
  const as = chance.pick(['machine', 'machine', 'boss', 'mia', 'max', 'mod'] as const);
  if (as !== 'machine' && as !== 'boss' && chance.happens(0.5)) return { as, scopes: null };
  const share = chance.pick([0.05, 0.1, 0.3]);
  const scopes = grantable.filter(() => chance.happens(share));
  return { as, scopes: scopes.length === 0 ? ['read:entities'] : scopes };
}
