import type { Attacker } from './attacker.ts';
import { type Authority, buildAuthority, covers, findExcess, join, nothing } from './authority.ts';
import { unexplained } from './effects.ts';
import { type Holdings, readHoldings } from './holdings.ts';
import { home } from './recipes.ts';
import type { Row, Rows } from './rows.ts';
import { findNeed } from './steps.ts';

/** What the state after some steps says against the claim that nobody got beyond what the attacker held; empty if nothing. */
export function judge(attacker: Attacker, after: Rows, others: Authority = nothing): string[] {
  const allowed = join(attacker.authority, others);
  return [
    ...gains(attacker.rows, after, allowed),
    ...unexplained(attacker.rows, after, allowed),
    ...deputies(attacker.rows, after, allowed),
    ...ownApprovals(attacker.rows, after),
  ];
}

/** Who holds more than before, and more than the attacker could give. */
function gains(before: Rows, after: Rows, allowed: Authority): string[] {
  const held = readHoldings(before);
  const staying = withoutRemoved(held, before, after);
  const found = [...readHoldings(after, before)].flatMap(([holder, authority]) => {
    const limit = join(staying.get(holder) ?? asNewcomer(held, holder, allowed, staying), allowed);
    const excess = findExcess(ofThingsBefore(authority, before), limit);
    if (excess.length === 0) return [];
    const more = excess.length > 3 ? `; and ${excess.length - 3} rights more` : '';
    return [{ holder, claim: `${holder} now holds ${excess.slice(0, 3).join('; ')}${more}` }];
  });
  // what credentials hold that were there before follows from whose they are
  const people = found.filter(({ holder }) => holder.startsWith('user '));
  const told = people.length === 0 ? found : found.filter((each) => people.includes(each) || !held.has(each.holder));
  return told.map(({ claim }) => claim);
}

/** Whoever is let in under the address of somebody who was removed is a newcomer. */
function withoutRemoved(held: Holdings, before: Rows, after: Rows): Holdings {
  const keys = new Set(after['users']?.map((user) => user['key']));
  const removed = new Set(
    before['users']?.filter((user) => !keys.has(user['key'])).map((user) => `user ${user['identifier']}`),
  );
  return new Map([...held].filter(([holder]) => !removed.has(holder)));
}

/**
 * Whoever may let people in lets them in as ordinary members, and hands them their way in: that is what the scope says, and
 * no escalation. Nothing of the kind holds for people who were there before.
 */
export function asNewcomer(held: Holdings, holder: string, allowed: Authority, staying: Holdings = held): Authority {
  const [, who] = /^(?:user|.* of) (\S+)$/.exec(holder) ?? [];
  const mayInvite = ['create:users', 'create:entities'].some((scope) => covers(allowed, 'Admin', scope));
  if (who === undefined || staying.has(`user ${who}`) || !mayInvite) return nothing;
  return join(buildAuthority(['Member', `person:${who}`]), ordinaryRights(held));
}

/** The rights that every member has: those that all members hold alike. */
function ordinaryRights(held: Holdings): Authority {
  const members = [...held].filter(
    ([holder, each]) => holder.startsWith('user ') && each.has('Member') && !each.has('Admin'),
  );
  const [first, ...rest] = members.map(([, authority]) => authority);
  return new Map([...(first ?? nothing)].filter(([privilege]) => rest.every((each) => each.has(privilege))));
}

/** Rights on what the sequence itself made are its own affair: what comes of using them is looked at when they are used. */
function ofThingsBefore(authority: Authority, before: Rows): Authority {
  const tables = { entities: 'blueprints', action: 'actions', page: 'pages' } as const;
  return new Map(
    [...authority].filter(([privilege]) => {
      const [kind, identifier] = privilege.split(':');
      const table = tables[kind as keyof typeof tables];
      return !table || before[table]?.some((row) => row['identifier'] === identifier);
    }),
  );
}

/** Requests that runs of changed actions made to our own API, and that the attacker could not have made. */
function deputies(before: Rows, after: Rows, allowed: Authority): string[] {
  const known = new Set(before['action_runs']?.map((run) => run['id']));
  const unchanged = new Set(before['actions']?.map((action) => JSON.stringify(action['definition'])));
  const changed = (after['actions'] ?? []).filter((action) => !unchanged.has(JSON.stringify(action['definition'])));
  const made = new Set(changed.map((action) => action['identifier']));
  return (after['action_runs'] ?? []).flatMap((run) => {
    if (known.has(run['id']) || !made.has(run['action_identifier']) || !isAnswered(run)) return [];
    const { url, method = 'POST' } = findDefinition(run)?.['invocationMethod'] ?? {};
    if (typeof url !== 'string' || !url.startsWith(`${home}/`)) return [];
    const need = findNeed(String(method).toUpperCase(), url.slice(home.length));
    if (!need || covers(allowed, need.role, need.scope)) return [];
    return [`a run called ${method} ${url}, which needs ${need.role} under ${need.scope}`];
  });
}

function findDefinition(run: Row): Row | undefined {
  return run['action']?.['definition'] ?? run['action'];
}

/** Whether the receiver of a run took what it was sent. */
function isAnswered({ response }: Row): boolean {
  const answers = [response ?? []].flat() as Row[];
  return answers.some((each) => Number(each['statusCode']) < 300);
}

/** Runs that nobody but their requester approved. */
function ownApprovals(before: Rows, after: Rows): string[] {
  const known = new Set(before['action_run_approvals']?.map((row) => JSON.stringify(row)));
  return (after['action_run_approvals'] ?? []).flatMap((row) => {
    if (known.has(JSON.stringify(row)) || row['gate'] !== 'APPROVAL' || row['state'] !== 'APPROVED') return [];
    const run = after['action_runs']?.find((each) => each['id'] === row['run_id']);
    return run?.['created_by'] === row['user_id'] ? [`${row['user_id']} approved their own run`] : [];
  });
}
