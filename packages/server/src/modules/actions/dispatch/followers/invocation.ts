import { getInvocation } from '@portolan/contract/assistant-operations';
import type { Actor } from '../../../../platform/actor.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import type { FollowedInvocation } from '../../runs/run.ts';
import { parseContent } from '../backend.ts';
import { type ExternalRunState, parsed } from './follower.ts';

/** Polls the invocation that a run asked for; its result becomes the response of the run. */
export async function followInvocation(
  { ownApi }: Pick<ActionsDeps, 'ownApi'>,
  reader: Actor,
  { id }: Pick<FollowedInvocation, 'id'>,
  signal: AbortSignal,
): Promise<ExternalRunState | string> {
  const { status, body } = await ownApi.call({
    path: getInvocation.path.replace('{invocation_identifier}', encodeURIComponent(id)),
    method: getInvocation.method,
    operation: getInvocation,
    headers: { 'user-agent': 'portolan' },
    actor: reader,
    asker: async () => reader,
    signal,
  });
  if (status !== 200) return `reading the invocation ${id} was answered with ${status}`;
  const { result } = (parsed(body) ?? {}) as { result?: { status?: string; error?: string; message?: string } };
  if (result?.status !== 'Completed' && result?.status !== 'Failed') return { id };
  const isGood = result.status === 'Completed';
  const label = isGood ? undefined : `The invocation failed: ${result.error ?? 'without a reason'}`;
  const response = { statusCode: status, body: parseContent(body) };
  return { id, end: { isGood, label, response, text: result.message } };
}
