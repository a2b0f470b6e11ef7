import { type Authority, buildAuthority, join, nothing, restrict } from './authority.ts';
import type { Row, Rows } from './rows.ts';

/**
 * Who holds what in an organization: every person, and everything that somebody may come in with, each with its authority.
 * It is computed from stored rows and from the published rules alone; nothing of the product's own code takes part.
 * What has another name now than in `begin` is called as it was there, so that renaming gives nobody anything.
 */
export type Holdings = ReadonlyMap<string, Authority>;

/** What the published scopes of MCP stand for. */
const scopesOfApp: Readonly<Record<string, readonly string[]>> = {
  'mcp:read': ['read:*'],
  'mcp:act': ['execute:actions'],
  'mcp:build': ['create:*', 'update:*', 'delete:*'],
};

export function readHoldings(rows: Rows, begin: Rows = rows): Holdings {
  const called = namesAtFirst(rows, begin);
  const people = new Map(
    (rows['users'] ?? []).map((user) => [user['key'] as string, authorityOfPerson(rows, user, called)]),
  );
  const ofPerson = (key: string): Authority => people.get(key) ?? nothing;
  const name = (key: string): string => rows['users']?.find((user) => user['key'] === key)?.['identifier'] ?? key;
  const holdings = new Map<string, Authority>();
  for (const user of rows['users'] ?? []) {
    // that somebody is themselves is nothing that anybody gave them
    const { identifier, key } = user;
    holdings.set(`user ${identifier}`, without(ofPerson(key), `person:${identifier}`));
  }
  const credentials = new Map<string, Authority>();
  for (const each of rows['credentials'] ?? []) {
    if (each['revoked_at'] !== null) continue;
    const authority = each['user_key']
      ? restrict(ofPerson(each['user_key']), each['scopes'])
      : restrict(
          join(
            buildAuthority([each['role']]),
            grantsNaming(rows, called, { roles: [each['role']], users: [], teams: [] }),
          ),
          each['scopes'],
        );
    credentials.set(each['client_id'], authority);
    const whose = each['user_key'] ? ` of ${name(each['user_key'])}` : '';
    holdings.set(`credentials ${each['client_id']} with the secret ${each['secret_id']}${whose}`, authority);
  }
  for (const each of rows['api_tokens'] ?? []) {
    if (each['revoked_at'] !== null) continue;
    const owner = each['user_key'] ? ofPerson(each['user_key']) : (credentials.get(each['client_id']) ?? nothing);
    const whose = ` of ${each['user_key'] ? name(each['user_key']) : each['client_id']}`;
    holdings.set(
      `API token ${each['id']} with the secret ${each['secret_id']}${whose}`,
      restrict(owner, each['scopes']),
    );
  }
  for (const { id, user_key: key, ended_at: endedAt } of rows['password_links'] ?? []) {
    if (endedAt) continue;
    holdings.set(`password link ${id} of ${name(key)}`, ofPerson(key));
  }
  for (const { id, user_key: key } of rows['sessions'] ?? [])
    holdings.set(`session ${id} of ${name(key)}`, ofPerson(key));
  for (const { id, user_key: key, scopes } of rows['oauth_grants'] ?? []) {
    const allowed = (scopes as readonly string[]).flatMap((scope) => scopesOfApp[scope] ?? []);
    holdings.set(`app ${id} of ${name(key)}`, restrict(ofPerson(key), allowed));
  }
  for (const { hash, user_key: key } of rows['user_passwords'] ?? []) {
    holdings.set(`password ${hash.slice(-8)} of ${name(key)}`, ofPerson(key));
  }
  for (const each of rows['sso_connections'] ?? []) {
    // whoever answers at the issuer says who signs in, and in which teams they are
    holdings.set(`identity provider ${each['issuer']} as ${each['client_id']}`, buildAuthority(['Admin']));
    for (const { group, team } of each['group_teams']) {
      const key = rows['teams']?.find((row) => row['title'] === team || row['identifier'] === team)?.['key'];
      holdings.set(
        `group ${group} as the team ${team}`,
        key ? grantsNaming(rows, called, { roles: [], users: [], teams: [key] }) : nothing,
      );
    }
  }
  return holdings;
}

function authorityOfPerson(rows: Rows, user: Row, called: NamesAtFirst): Authority {
  if (user['status'] === 'Disabled') return nothing;
  const { identifier, role, key } = user;
  const moderated = role === 'Moderator' ? (user['moderated_blueprints'] as string[]) : [];
  const teams = (rows['team_members'] ?? []).filter((each) => each['user_key'] === key).map((each) => each['team_key']);
  const roles = [role === 'Moderator' ? 'Member' : role, ...moderated.map((blueprint) => `${blueprint}-moderator`)];
  return join(
    buildAuthority(role === 'Admin' ? ['Admin', 'Member'] : ['Member']),
    buildAuthority(moderated.map((blueprint) => `moderator:${called('blueprints', blueprint)}`)),
    grantsNaming(rows, called, { roles, users: [identifier], teams }),
    buildAuthority([`person:${identifier}`]),
  );
}

interface Names {
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

interface Grant extends Partial<Names> {
  readonly ownedByTeam?: boolean | null;
  readonly policy?: unknown;
}

/** The rights that are given to everybody with these names, each under the one scope that it is used under. */
function grantsNaming(rows: Rows, called: NamesAtFirst, { roles, users, teams }: Names): Authority {
  const granted = allGrants(rows, called).flatMap(([privilege, grant]) => {
    const isNamed =
      grant.roles?.some((each) => roles.includes(each)) ||
      grant.users?.some((each) => users.includes(each)) ||
      grant.teams?.some((each) => teams.includes(each));
    const owned = grant.ownedByTeam ? teams.map((team) => `${privilege}:owned-by-${team}`) : [];
    // whom a policy lets in is not worked out: another policy counts as a right that nobody had
    const policy = grant.policy ? [`${privilege}:if-${JSON.stringify(grant.policy)}`] : [];
    return [...(isNamed ? [privilege] : []), ...owned, ...policy];
  });
  return new Map(granted.map((privilege) => [privilege, new Set([scopeOfRight(privilege)])]));
}

const scopesOfRights: Readonly<Record<string, string>> = {
  'entities:read': 'read:entities',
  'entities:register': 'create:entities',
  'entities:update': 'update:entities',
  'entities:unregister': 'delete:entities',
  'action:execute': 'execute:actions',
  'action:approve': 'update:runs',
  'page:read': 'read:pages',
  'page:update': 'update:pages',
};

function scopeOfRight(privilege: string): string {
  const [kind, , right] = privilege.split(':');
  const scope = scopesOfRights[`${kind}:${right}`];
  if (!scope) throw new Error(`Say in holdings.ts under which scope the right ${privilege} is used`);
  return scope;
}

/** Everything that permissions say, with what is in force where nothing was stored. */
function allGrants(rows: Rows, called: NamesAtFirst): (readonly [string, Grant])[] {
  return [
    ...(rows['blueprints'] ?? []).flatMap(({ identifier, permissions }) => {
      const usual = { roles: ['Admin', `${identifier}-moderator`] };
      const { updateProperties = {}, updateRelations = {}, ...whole } = permissions ?? {};
      const rights: Record<string, Grant> = {
        read: { roles: ['Member', ...usual.roles] },
        register: usual,
        update: usual,
        unregister: usual,
        ...whole,
        ...withPrefix('update:', { ...updateProperties, ...updateRelations }),
      };
      return named(`entities:${called('blueprints', identifier)}`, rights);
    }),
    ...(rows['actions'] ?? []).flatMap(({ identifier, permissions }) =>
      named(`action:${called('actions', identifier)}`, {
        execute: { roles: ['Admin', 'Member'] },
        approve: {},
        ...permissions,
      }),
    ),
    ...(rows['pages'] ?? []).flatMap(({ identifier, permissions }) =>
      named(`page:${called('pages', identifier)}`, { read: { roles: ['Admin', 'Member'] }, ...permissions }),
    ),
  ];
}

function named(prefix: string, grants: Readonly<Record<string, Grant>>): (readonly [string, Grant])[] {
  return Object.entries(grants).map(([right, grant]) => [`${prefix}:${right}`, grant ?? {}] as const);
}

function withPrefix(prefix: string, grants: Readonly<Record<string, Grant>>): Record<string, Grant> {
  return Object.fromEntries(Object.entries(grants).map(([key, grant]) => [`${prefix}${key}`, grant]));
}

function without(authority: Authority, privilege: string): Authority {
  return new Map([...authority].filter(([each]) => each !== privilege));
}

type NamesAtFirst = (table: string, identifier: string) => string;

function namesAtFirst(rows: Rows, begin: Rows): NamesAtFirst {
  return (table, identifier) => {
    const key = rows[table]?.find((row) => row['identifier'] === identifier)?.['key'];
    return begin[table]?.find((row) => row['key'] === key)?.['identifier'] ?? identifier;
  };
}
