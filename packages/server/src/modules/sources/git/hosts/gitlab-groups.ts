import type { SourceCheck } from '@portolan/contract/sources';
import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import { SourceRefusal } from '../../source-type.ts';
import type { HostList } from '../git-host.ts';
import { type HostAnswer, nextPage, type Transport } from '../transport.ts';
import { firstPage, type PageCursor, pageCursor } from './paged-list.ts';

/** What the name of an owner means. */
export interface GitLabHome {
  readonly kind: 'group' | 'user' | 'project';
  readonly id: number;
}

type Get = (path: string, signal: AbortSignal, allows?: readonly number[]) => Promise<HostAnswer>;

interface GroupsContext {
  readonly get: Get;
  readonly owners: readonly string[];
  homeOf(owner: string, signal: AbortSignal): Promise<GitLabHome>;
}

const pageSize = 20;
const warnDays = 14;
const dayMs = 24 * 60 * 60_000;
const groupSchema = z.looseObject({ id: z.number(), name: z.string(), path: z.string(), full_path: z.string() });
type Group = z.output<typeof groupSchema>;

/** Groups as teams: those of the owners with what is below them, or all that the token is a member of. */
export async function listGroups(
  { get, owners, homeOf }: GroupsContext,
  cursor: JqValue | null,
  signal: AbortSignal,
): Promise<HostList<JqObject>> {
  const at = cursor === null ? firstPage : pageCursor.parse(cursor);
  const owner = owners[at.owner];
  const following: PageCursor | null = at.owner + 1 < owners.length ? { ...firstPage, owner: at.owner + 1 } : null;
  const paging = `per_page=${pageSize}&page=${at.page}`;
  const groups: Group[] = [];
  let list = `/groups?min_access_level=10&order_by=id&${paging}`;
  if (owner !== undefined) {
    const { kind, id } = await homeOf(owner, signal);
    if (kind !== 'group') return { items: [], next: following, total: null };
    list = `/groups/${id}/descendant_groups?${paging}`;
    if (at.page === 1) {
      const answer = await get(`/groups/${id}?with_projects=false`, signal, [403, 404]);
      if (answer.status !== 200) return { items: [], next: following, total: null, unreadable: owner };
      groups.push(groupSchema.parse(JSON.parse(answer.text)));
    }
  }
  const answer = await get(list, signal, [403, 404]);
  if (answer.status !== 200) return { items: [], next: following, total: null, unreadable: owner ?? '' };
  groups.push(...z.array(groupSchema).parse(JSON.parse(answer.text)));
  const items = await Promise.all(groups.map((group) => toTeam(get, owner, group, signal)));
  return { items, next: nextPage(answer.headers) ? { ...at, page: at.page + 1 } : following, total: null };
}

async function toTeam(get: Get, owner: string | undefined, group: Group, signal: AbortSignal): Promise<JqObject> {
  const members: JqValue[] = [];
  const people = z.array(
    z.looseObject({ username: z.string(), name: z.string().nullish(), email: z.string().nullish() }),
  );
  for (let page = 1, isMore = true; isMore; page += 1) {
    const answer = await get(`/groups/${group.id}/members?per_page=100&page=${page}`, signal, [403, 404]);
    if (answer.status !== 200) break;
    for (const { username, name, email } of people.parse(JSON.parse(answer.text))) {
      // access tokens of a group are members of it
      if (/^(group|project)_\d+_bot/.test(username)) continue;
      members.push({ login: username, email: email || null, name: name || username });
    }
    isMore = nextPage(answer.headers) !== undefined;
  }
  const { id, name, path, full_path: fullPath } = group;
  return {
    id: String(id),
    organization: owner ?? fullPath.split('/')[0] ?? '',
    // as CODEOWNERS ends: @acme/platform/payments
    slug: path.toLowerCase(),
    path: fullPath,
    name,
    members,
    raw: { id, name, path, full_path: fullPath },
  };
}

/** What the token is and how long it lasts. */
export async function checkToken(get: Get, host: string, now: Date, signal: AbortSignal): Promise<SourceCheck[]> {
  const version = await get('/version', signal, [403, 404]);
  const fix = 'Make a token with the scope "read_api".';
  const message = 'The token may not use the interface of GitLab';
  if (version.status === 403) return [{ name: 'scopes', state: 'failed', message, fix }];
  const told = version.status === 200 ? z.looseObject({ version: z.string() }).parse(JSON.parse(version.text)) : null;
  const checks: SourceCheck[] = [
    { name: 'address', state: 'passed', message: told ? `${host} runs version ${told.version}` : `${host} answers` },
  ];
  const self = await get('/personal_access_tokens/self', signal, [403, 404]);
  // tokens of OAuth tell nothing of themselves
  if (self.status !== 200)
    return [...checks, { name: 'credentials', state: 'passed', message: 'The token is accepted' }];
  const { scopes, expires_at: expiresAt } = z
    .looseObject({ scopes: z.array(z.string()), expires_at: z.string().nullish() })
    .parse(JSON.parse(self.text));
  if (!scopes.includes('read_api') && !scopes.includes('api')) {
    return [...checks, { name: 'scopes', state: 'failed', message: `The token has only ${scopes.join(', ')}`, fix }];
  }
  const isShort = expiresAt != null && Date.parse(expiresAt) - now.getTime() < warnDays * dayMs;
  checks.push(
    isShort
      ? {
          name: 'credentials',
          state: 'warning',
          message: `The token ends on ${expiresAt}`,
          fix: 'Make a new one soon.',
        }
      : { name: 'credentials', state: 'passed', message: 'The token is accepted' },
  );
  return checks;
}

const hookEvents = { push_events: true, merge_requests_events: true, pipeline_events: true, releases_events: true };

/** One webhook in each group, or project; false where the host has none for all repositories. */
export async function registerHooks(
  { get, owners, homeOf, send, base }: GroupsContext & { readonly send: Transport['send']; readonly base: string },
  address: string,
  secret: string,
  signal: AbortSignal,
): Promise<boolean> {
  for (const owner of owners) {
    const { kind, id } = await homeOf(owner, signal);
    if (kind === 'user') return false;
    const hooks = `/${kind}s/${id}/hooks`;
    const present = await get(`${hooks}?per_page=100`, signal, [403, 404]);
    // an edition without hooks of groups
    if (present.status === 404) return false;
    if (present.status === 403) throw hookRefused(owner);
    const ours = z
      .array(z.looseObject({ id: z.number(), url: z.string() }))
      .parse(JSON.parse(present.text))
      .find((hook) => hook.url === address);
    const events = kind === 'group' ? { ...hookEvents, project_events: true } : hookEvents;
    const answer = await send(`${base}${hooks}${ours ? `/${ours.id}` : ''}`, {
      method: ours ? 'PUT' : 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: address, token: secret, ...events, enable_ssl_verification: true }),
      allows: [403],
      signal,
    });
    if (answer.status === 403) throw hookRefused(owner);
  }
  return owners.length > 0;
}

function hookRefused(owner: string): SourceRefusal {
  return new SourceRefusal(
    'hook_refused',
    `The token may not make a webhook for "${owner}", so changes are found by the schedule only`,
    'Give the token the scope "api" and the role Owner, or make the webhook by hand with the address of the source.',
  );
}
