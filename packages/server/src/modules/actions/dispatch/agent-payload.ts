import { isRecord } from '@portolan/contract/json-value';
import type { JqValue } from '@portolan/jq';
import { listTemplateBlocks } from '@portolan/jq';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { StoredRun } from '../runs/run.ts';
import { isTrue, parseContent } from './backend.ts';
import { readContext } from './read-context.ts';
import { renderInvocation, Unrenderable } from './render-invocation.ts';
import { nobodyBehind, runActor } from './run-actors.ts';
import { secretsFor } from './secrets-for.ts';

type Values = Readonly<Record<string, unknown>>;

export interface AgentPayload {
  readonly payload: Values;
  /** Names of the secrets in it. */
  readonly secrets: readonly string[];
}

/** The call of a run that an agent claimed, with its secrets; or why there is none, as a sentence. */
export async function readAgentPayload(
  deps: ActionsDeps,
  orgId: string,
  run: StoredRun,
): Promise<AgentPayload | string> {
  const acting = await runActor(deps, orgId, run);
  if (!acting) return nobodyBehind(run);
  const actor = { ...acting, opened: createSecretScope() };
  const { context } = await readContext(deps, actor, run);
  try {
    const secrets = await secretsFor(deps, actor, run);
    const { method } = renderInvocation(run, context, secrets, deps.clock.now());
    return {
      payload: toAgentCall(method, context),
      secrets: secretsNamed(run.action.definition.invocationMethod, Object.keys(secrets)),
    };
  } catch (error) {
    if (!(error instanceof Unrenderable)) throw error;
    return actor.opened.maskText(`The action cannot be rendered: ${error.message}`);
  }
}

/** Every field that the agent reads; it takes a missing `synchronized` for false and needs an object as body. */
export function toAgentCall(method: Values, context: unknown): Values {
  return {
    type: 'WEBHOOK',
    url: method['url'],
    method: String(method['method'] ?? 'POST').toUpperCase(),
    agent: true,
    synchronized: isTrue(method['synchronized']),
    headers: method['headers'] ?? {},
    body: toObject(method['body'] ?? context),
  };
}

function toObject(body: unknown): unknown {
  const value = typeof body === 'string' ? parseContent(body) : body;
  return isRecord(value) ? value : { body: value };
}

/** Those of the named secrets that templates of the document may read: all where an expression names none. */
export function secretsNamed(document: object, names: readonly string[]): string[] {
  const asking = listTemplateBlocks(document as JqValue).filter(({ expression }) => expression.includes('secrets'));
  const isOpen = asking.some(({ expression }) => !names.some((name) => expression.includes(name)));
  return names.filter((name) => isOpen || asking.some(({ expression }) => expression.includes(name)));
}
