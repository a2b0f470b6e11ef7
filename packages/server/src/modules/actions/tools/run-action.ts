import type { StartRunBody } from '@portolan/contract/action-runs';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { notingRefusals } from '../../../platform/noting-refusals.ts';
import type { ToolContext } from '../../../platform/tools/tool.ts';
import { encryptedInputs } from '../inputs/encrypt-inputs.ts';
import type { StoredRun } from '../runs/run.ts';
import { runUrl } from '../runs/run-url.ts';
import { type CheckedRun, type StartDeps, type StartOptions, startRun } from '../runs/start-run.ts';
import { callFacts } from './call-facts.ts';
import { decideToolCall, needsInputs } from './decide-tool-call.ts';
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
  const options: StartOptions = {
    isFilledByModel: true,
    draft: async (checked) => {
      if (checked.action.id !== target.id) throw notFound('Action', target.identifier);
      const facts = () => callFacts(deps, actor, checked, body, holdOf(checked));
      return decideToolCall({ actor, invocation }, { facts, isOpen: checked.open.length > 0 });
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
  };
  const run = await notingRefusals(actor, (reading) => startRun(deps, reading, target.identifier, body, options));
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

/** Why it waits for a person in any case. */
function holdOf(checked: CheckedRun): string | undefined {
  const address = openAddress(checked);
  if (address) return `It sends data to an address that its author did not fix: ${address}`;
  return checked.open.length > 0 ? needsInputs : undefined;
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
  assertSmall(properties, '/properties');
  return { properties: { ...properties }, ...(typeof entity === 'string' ? { entity } : {}) };
}

/** Keeps what a model wrote within limits. @throws AppError `invalid_request`, `payload_too_large` */
export function assertSmall(given: Readonly<Record<string, unknown>>, path: string): void {
  if (measureDepth(given, argumentsDepthMax) > argumentsDepthMax) {
    throw invalidRequest([{ path, message: `is nested deeper than ${argumentsDepthMax}` }], 'The run');
  }
  if (Buffer.byteLength(JSON.stringify(given)) > argumentsBytesMax) {
    throw new AppError('payload_too_large', `The arguments are larger than ${argumentsBytesMax} bytes`);
  }
}

/** The nesting depth of a value, counted up to `max` + 1. */
function measureDepth(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (max < 0) return 1;
  let deepest = 0;
  for (const member of Object.values(value)) deepest = Math.max(deepest, measureDepth(member, max - 1));
  return deepest + 1;
}
