import { z } from 'zod';
import { SourceRefusal } from '../../source-type.ts';
import type { HostAnswer, Transport } from '../transport.ts';
import { pageSchema } from './bitbucket-answers.ts';
import { encodePath } from './read-answers.ts';

interface HookCalls {
  get(path: string, signal: AbortSignal, allows?: readonly number[]): Promise<HostAnswer>;
  readonly send: Transport['send'];
  readonly base: string;
}

const ofRepositories = ['repo:push', 'repo:updated'];
const ofActivity = [
  'repo:commit_status_created',
  'repo:commit_status_updated',
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
];
const hookSchema = z.looseObject({ uuid: z.string(), url: z.string() });

/**
 * One webhook of a workspace, or of a repository. The host refuses events of what the token may not read: those of pushes
 * are then had alone.
 */
export async function registerHook(
  { get, send, base }: HookCalls,
  owner: string,
  address: string,
  secret: string,
  signal: AbortSignal,
): Promise<void> {
  const hooks = `/${owner.includes('/') ? 'repositories' : 'workspaces'}/${encodePath(owner)}/hooks`;
  const present = await get(`${hooks}?pagelen=100`, signal, [403, 404]);
  if (present.status !== 200) throw hookRefused(owner);
  const { values } = pageSchema.parse(JSON.parse(present.text));
  const ours = z
    .array(hookSchema)
    .parse(values)
    .find((hook) => hook.url === address);
  const ask = (events: readonly string[]) =>
    send(`${base}${hooks}${ours ? `/${encodeURIComponent(ours.uuid)}` : ''}`, {
      method: ours ? 'PUT' : 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ description: 'Portolan', url: address, active: true, secret, events }),
      allows: [403],
      signal,
    });
  if ((await ask([...ofRepositories, ...ofActivity])).status !== 403) return;
  if ((await ask(ofRepositories)).status === 403) throw hookRefused(owner);
}

function hookRefused(owner: string): SourceRefusal {
  return new SourceRefusal(
    'hook_refused',
    `The token may not make a webhook for "${owner}", so changes are found by the schedule only`,
    'Give the token rights on webhooks, or make the webhook by hand with the address of the source.',
  );
}
