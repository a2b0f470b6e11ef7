import type { Answer } from '../build-test-app.ts';
import type { Attacker } from './attacker.ts';
import { type Authority, findExcess, join, nothing } from './authority.ts';
import { readHoldings } from './holdings.ts';
import { asNewcomer } from './judge.ts';
import type { Rows } from './rows.ts';
import { textsIn } from './steps.ts';
import type { World } from './world.ts';

/** Kinds of credentials that came to be since the start; without any there is nothing to be read. */
const kinds = ['credentials ', 'API token ', 'password link '];

/**
 * Tries every text that somebody can read as a credential, and says what came in with more than the reader's own
 * authority. Only where a credential came to be: what was there before was shown to nobody here.
 */
export async function harvest(
  world: World,
  attacker: Attacker,
  after: Rows,
  seen: readonly Answer[],
): Promise<string[]> {
  const before = readHoldings(attacker.rows);
  const holdings = readHoldings(after);
  const fresh = [...holdings].filter(
    ([holder]) => !before.has(holder) && kinds.some((kind) => holder.startsWith(kind)),
  );
  if (fresh.length === 0) return [];
  const ofAttacker = (holder: string) => join(attacker.authority, asNewcomer(before, holder, attacker.authority));
  const mine = await tryAll(world, seen.flatMap(textsIn), fresh, ofAttacker, 'the attacker');
  const ofMia = holdings.get('user mia@example.com') ?? nothing;
  const read = await readAll(world, world.tokens.mia);
  return [...mine, ...(await tryAll(world, read.flatMap(textsIn), fresh, () => ofMia, 'a member'))];
}

type FoundAuthorities = readonly (readonly [string, Authority])[];

async function tryAll(
  world: World,
  texts: readonly string[],
  fresh: FoundAuthorities,
  reader: (holder: string) => Authority,
  who: string,
): Promise<string[]> {
  const candidates = [...new Set(texts)].filter((text) => text.length >= 20 && text.length <= 2000 && !/\s/.test(text));
  const found: string[] = [];
  for (const text of candidates) {
    for (const [holder, authority] of fresh) {
      const excess = findExcess(authority, reader(holder));
      if (excess.length > 0 && (await opens(world, text, holder))) found.push(`${who} read what comes in as ${holder}`);
    }
  }
  return found;
}

/** Whether a text comes in as this credential. */
async function opens({ ask, orgId }: World, text: string, holder: string): Promise<boolean> {
  const [, clientId] = /^credentials (\S+)/.exec(holder) ?? [];
  if (clientId) {
    const body = { clientId, clientSecret: text };
    return (await ask('POST', '/v1/auth/access_token', null, body)).status === 200;
  }
  if (holder.startsWith('password link')) {
    if (!text.includes(orgId) && !text.includes('_') && !text.includes('.')) return false;
    const body = { token: text, password: 'a long new password' };
    return (await ask('POST', '/v1/auth/password-links/redeem', null, body)).status === 200;
  }
  return (await ask('GET', '/v1/auth/me', text)).status === 200;
}

/** Where runs show what they were answered. */
async function readAll({ ask }: World, token: string): Promise<Answer[]> {
  const listed = await ask('GET', '/v1/actions/runs?version=v2&limit=20', token);
  const ids = ((listed.body.runs ?? []) as { id: string }[]).map(({ id }) => id);
  const answers = [listed, await ask('GET', '/v1/audit-log', token)];
  for (const id of ids) {
    answers.push(await ask('GET', `/v1/actions/runs/${id}?version=v2`, token));
    answers.push(await ask('GET', `/v1/actions/runs/${id}/logs`, token));
  }
  return answers;
}
