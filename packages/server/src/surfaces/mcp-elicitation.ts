import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isRecord } from '@portolan/contract/json-value';
import { z } from 'zod';
import type { Actor } from '../platform/actor.ts';
import type { ToolOutcome } from '../platform/tools/call-tool.ts';
import { type Params, RpcError, rpcCodes } from './mcp-json-rpc.ts';
import { metaKeys } from './mcp-protocol.ts';

/** A draft that a call made, as `run_…` tools answer it. */
const draft = z.object({ mode: z.literal('draft'), runId: z.string(), url: z.string(), expiresAt: z.string() });
export type MadeDraft = z.output<typeof draft>;

/** A retry may come this long after the person was asked. */
const askedMs = 10 * 60 * 1000;

/** Asking the person of a client to look at a page, and knowing the call again when the client repeats it. */
export interface Elicitation {
  /** The members of a result that asks; undefined where there is nothing to ask. */
  ask(outcome: ToolOutcome, call: AskedCall): string | undefined;
  /**
   * The draft that this call was about before; undefined for a call that comes for the first time.
   * @throws RpcError `invalidParams` for a state that is of another call or person, or too old
   */
  recall(call: AskedCall): MadeDraft | undefined;
}

export interface AskedCall {
  readonly params: Params;
  readonly tool: string;
  readonly actor: Actor;
}

/** Replicas that share the key know the calls of each other. */
export function createElicitation(key: Buffer = randomBytes(32), now: () => number = Date.now): Elicitation {
  const sign = (payload: string, call: AskedCall): Buffer =>
    createHmac('sha256', key)
      .update(`${payload}.${digestOf(call)}`)
      .digest();
  return {
    ask: (outcome, call) => {
      const made = outcome.isError ? undefined : draft.safeParse(outcome.content).data;
      if (!made || !acceptsUrls(call.params)) return undefined;
      const payload = Buffer.from(JSON.stringify([made, now() + askedMs])).toString('base64url');
      const message = `Portolan prepared a run that a person has to complete. Open its draft, which waits until ${made.expiresAt}.`;
      const inputRequests = {
        draft: { method: 'elicitation/create', params: { mode: 'url', message, url: made.url } },
      };
      const requestState = `${payload}.${sign(payload, call).toString('base64url')}`;
      return JSON.stringify({ inputRequests, requestState }).slice(1, -1);
    },
    recall: (call) => {
      const { requestState } = call.params;
      if (requestState === undefined) return undefined;
      const [payload = '', signature = ''] = typeof requestState === 'string' ? requestState.split('.') : [];
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(payload, call)];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw foreign();
      const [made, untilMs] = sealed.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
      if (untilMs < now()) throw foreign();
      return made;
    },
  };
}

const sealed = z.tuple([draft, z.number()]);

/** The state travels through the client, so it is good for this person and this very call alone. */
function digestOf({ params, tool, actor }: AskedCall): string {
  const text = JSON.stringify([actor.orgId, actor.kind, actor.id, tool, sorted(params['arguments'] ?? {})]);
  return createHash('sha256').update(text).digest('base64url');
}

/** A client may write the members of its arguments in another order when it repeats them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function acceptsUrls(params: Params): boolean {
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  const capabilities = meta[metaKeys.clientCapabilities];
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : undefined;
  return isRecord(elicitation) && isRecord(elicitation['url']);
}

function foreign(): RpcError {
  return new RpcError(rpcCodes.invalidParams, 'requestState is not of this call, or older than ten minutes');
}
