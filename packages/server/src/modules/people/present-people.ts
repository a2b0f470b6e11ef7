import type { TeamWithMembers } from './team.store.ts';
import type { UserWithTeams } from './user.store.ts';

const provider = 'port';

interface PersonWithNames {
  readonly title: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** First and last name if given; otherwise the title, split at its first blank. */
function presentNames({ title, firstName, lastName }: PersonWithNames): {
  readonly firstName: string;
  readonly lastName: string;
} {
  if (firstName !== null || lastName !== null) return { firstName: firstName ?? '', lastName: lastName ?? '' };
  const [first = '', ...rest] = (title ?? '').trim().split(/\s+/);
  return { firstName: first, lastName: rest.join(' ') };
}

function presentCore({ key, identifier, name, description, createdAt, updatedAt }: TeamWithMembers) {
  return {
    id: key,
    name,
    identifier,
    provider,
    ...(description === null ? {} : { description }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Members hidden from the caller are left out. */
export function presentTeam(team: TeamWithMembers, visible?: ReadonlySet<string>) {
  const members = visible ? team.members.filter(({ email }) => visible.has(email)) : team.members;
  return {
    ...presentCore(team),
    users: members.map((member) => ({
      email: member.email,
      ...presentNames(member),
      ...(member.picture === null ? {} : { picture: member.picture }),
      status: member.status,
    })),
  };
}

/** Members as addresses only. */
export function presentWrittenTeam(team: TeamWithMembers) {
  return { ...presentCore(team), users: team.members.map(({ email }) => email) };
}

export function presentUser(user: UserWithTeams, orgId: string) {
  const { key, identifier, picture, createdAt, updatedAt, lastLoginAt } = user;
  const status = user.status as 'Staged' | 'Invited' | 'Active' | 'Disabled';
  return {
    id: key,
    email: identifier,
    ...presentNames(user),
    ...(picture === null ? {} : { picture }),
    status,
    type: user.type as 'Standard' | 'Service Account',
    providers: [provider],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    orgs: [{ id: orgId }],
    teams: user.teams.map(({ name }) => name),
    roles: presentRoles(user).map((name) => ({ name })),
    orgMembers: [{ orgId, status, lastLoginAt: lastLoginAt?.toISOString() ?? null }],
    termsAccepted: null,
  };
}

export function presentWholeUser(user: UserWithTeams, orgId: string) {
  return { ...presentUser(user, orgId), teamsIdentifiers: user.teams.map(({ identifier }) => identifier) };
}

function presentRoles({ role, moderatedBlueprints }: UserWithTeams): string[] {
  if (role === 'Admin') return ['Admin'];
  const moderated = role === 'Moderator' ? moderatedBlueprints.map((blueprint) => `${blueprint}-moderator`) : [];
  return moderated.length > 0 ? moderated : ['Member'];
}

/**
 * Keeps the members that `fields` names: `status`, or nested `users.email`. Unknown names are ignored; without names
 * everything stays.
 */
export function pickFields<Whole extends object>(whole: Whole, fields: readonly string[] | undefined): Partial<Whole> {
  if (!fields) return whole;
  const inner = new Map<string, Set<string>>();
  for (const field of fields) {
    const [key = '', part] = field.split('.', 2);
    const parts = inner.get(key) ?? new Set<string>();
    inner.set(key, part === undefined ? parts.add('*') : parts.add(part));
  }
  const picked = Object.entries(whole).flatMap(([key, value]) => {
    const parts = inner.get(key);
    if (!parts) return [];
    return [[key, Array.isArray(value) && !parts.has('*') ? value.map((each) => narrowed(each, parts)) : value]];
  });
  return Object.fromEntries(picked) as Partial<Whole>;
}

function narrowed(value: unknown, parts: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => parts.has(key)));
}
