import type { StartRunBody } from '@portolan/contract/action-runs';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import type { CallingInvocation, ToolContext } from '../../../platform/tools/tool.ts';
import { encryptedInputs } from '../inputs/encrypt-inputs.ts';
import type { StoredRun } from '../runs/run.ts';
import { runUrl } from '../runs/run-url.ts';
import { type CheckedRun, type DecidedStart, type DraftOrigin, type StartDeps, startRun } from '../runs/start-run.ts';
import { line } from './action-form.ts';
import { callFacts } from './call-facts.ts';
import { openAddress } from './open-address.ts';

/** The action behind a tool, with its id, so that another action with the same name is not run instead. */
export interface ActionTarget {
  readonly id: string;
  readonly identifier: string;
}

export type RunTold =
  | { readonly mode: 'executed'; readonly runId: string; readonly status: string; readonly url: string }
  | {
      readonly mode: 'draft';
      readonly runId: string;
      readonly url: string;
      readonly expiresAt: string;
      readonly missing?: readonly string[];
    };

const argumentsBytesMax = 256 * 1024;
const argumentsDepthMax = 40;

/**
 * Runs an action for a tool call, as the caller. Within an invocation it executes only where the rule for calls lets it;
 * otherwise it creates a draft for a person. A person's own client executes with
 * that person's rights. Rights and inputs are checked now, whatever was listed before.
 * @throws AppError `not_found`, `missing_permissions`, `invalid_request`
 */
export async function runAction(
  deps: StartDeps,
  { actor, invocation, requestApproval, signal }: ToolContext,
  target: ActionTarget,
  given: { readonly properties: Readonly<Record<string, unknown>>; readonly entity: unknown },
): Promise<RunTold> {
  const body = toRunBody(given);
  if (signal.aborted) throw new AppError('invocation_cancelled', 'The call was cancelled');
  const run = await startRun(deps, actor, target.identifier, body, {
    isFilledByModel: true,
    draft: async (checked) => {
      if (checked.action.id !== target.id) throw notFound('Action', target.identifier);
      if (invocation) return decideForInvocation(deps, { actor, invocation }, checked, body);
      const reason = actor.origin === 'AI' || actor.origin === 'AUTOMATION' ? manually : undefined;
      if (reason === undefined && checked.open.length === 0) return {};
      return { draft: { reason: reason ?? needsInputs } };
    },
    ...(invocation
      ? {
          invocation: {
            id: invocation.id,
            call: invocation.callId,
            ...(invocation.agent ? { agent: invocation.agent } : {}),
          },
        }
      : {}),
  });
  const url = runUrl(deps, run.id);
  if (run.status !== 'DRAFT' || !run.draft) return { mode: 'executed', runId: run.id, status: run.status, url };
  const { inputsHash, expiresAt, missing } = run.draft;
  requestApproval?.({
    runId: run.id,
    action: run.actionIdentifier,
    entity: run.entity,
    properties: masked(run),
    inputsHash,
    url,
    expiresAt,
  });
  return { mode: 'draft', runId: run.id, url, expiresAt, ...(missing ? { missing } : {}) };
}

const manually = 'Runs are approved by a person here';
const needsInputs = 'It needs inputs that no tool may fill';

/** @throws AppError `approval_required` where it may not even become a draft */
async function decideForInvocation(
  deps: StartDeps,
  { actor, invocation }: { readonly actor: Actor; readonly invocation: CallingInvocation },
  checked: CheckedRun,
  body: StartRunBody,
): Promise<DecidedStart> {
  const address = openAddress(checked);
  const isOpen = checked.open.length > 0;
  const hold = address
    ? `It sends data to an address that its author did not fix: ${address}`
    : isOpen
      ? needsInputs
      : undefined;
  const decision = await invocation.decide(callFacts(deps, actor, checked, body, hold));
  const reason = decision.reason ?? manually;
  if (decision.result === 'refuse') throw new AppError('approval_required', reason);
  const waits = decision.result !== 'execute' || isOpen;
  if (waits) return { decision, label: decision.label, draft: toOrigin(invocation, reason) };
  const confirm: DecidedStart['confirm'] = async (tx, run) =>
    decision.standing === undefined || ((await invocation.useStanding?.(tx, decision, run)) ?? false);
  return { decision, label: decision.label, confirm };
}

function toOrigin({ id, agent, question }: CallingInvocation, reason: string): DraftOrigin {
  return {
    invocation: id,
    ...(agent === undefined ? {} : { agent }),
    reason: `${reason}. Asked for: ${line(question, 300)}`,
  };
}

/** Masks encrypted inputs for readers of the stream. */
function masked(run: StoredRun): Readonly<Record<string, unknown>> {
  const { trigger } = run.action.definition;
  const secret = new Set(trigger.type === 'self-service' ? encryptedInputs(trigger.userInputs) : []);
  return Object.fromEntries(
    Object.entries(run.properties).map(([key, value]) => [key, secret.has(key) ? '******' : value]),
  );
}

function toRunBody({
  properties,
  entity,
}: {
  properties: Readonly<Record<string, unknown>>;
  entity: unknown;
}): StartRunBody {
  if (entity !== undefined && entity !== null && (typeof entity !== 'string' || entity.length > 3000)) {
    throw invalidRequest([{ path: '/entity', message: 'must be the identifier of an entity' }], 'The run');
  }
  if (measureDepth(properties, argumentsDepthMax) > argumentsDepthMax) {
    throw invalidRequest([{ path: '/properties', message: `is nested deeper than ${argumentsDepthMax}` }], 'The run');
  }
  if (Buffer.byteLength(JSON.stringify(properties)) > argumentsBytesMax) {
    throw new AppError('payload_too_large', `The arguments are larger than ${argumentsBytesMax} bytes`);
  }
  return { properties: { ...properties }, ...(typeof entity === 'string' ? { entity } : {}) };
}

/** The nesting depth of a value, counted up to `max` + 1. */
function measureDepth(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (max < 0) return 1;
  let deepest = 0;
  for (const member of Object.values(value)) deepest = Math.max(deepest, measureDepth(member, max - 1));
  return deepest + 1;
}
