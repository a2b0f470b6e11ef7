import { createHash } from 'node:crypto';
import { isRecord, toRecord } from '@portolan/contract/json-value';
import { mappingMillisecondsMax, stringify } from '@portolan/jq';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { shareTime } from '../../../platform/evaluation-time.ts';
import { mapWithin } from '../../../platform/expressions.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { OrganizationSecrets } from '../../actions/index.ts';
import { type RawEvent, readEvent, toHeaders, type WebhookEvent, whyUnsigned } from '../../integrations/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { findHook, readHookOrganization } from '../definitions/hook.store.ts';
import { limits } from '../definitions/limits.ts';
import { findPause } from '../definitions/pause.store.ts';
import { findCurrentByKey } from '../definitions/workflow.store.ts';
import type { NodeConfig, StoredWorkflow } from '../definitions/workflow.ts';
import { holds } from '../nodes/event-condition.ts';
import { holdVersions } from './listening.store.ts';
import { newWorkflowRun, storeNewRun } from './new-run.ts';
import { countStarts, findRunByKey } from './run.store.ts';
import type { RunsDeps } from './runs.deps.ts';

export type CallDeps = RunsDeps & { readonly secrets: OrganizationSecrets };

export interface ReceivedCall {
  readonly state: 'started' | 'dropped';
  readonly runIdentifier: string | null;
}

/**
 * Starts a run by a call of the address of a trigger. Whoever calls proves to know the trigger's secret; without the
 * secret nothing is let in. A call that names a delivery starts one run.
 * @throws AppError `not_found` (no such address), `unauthorized`, `invalid_json`, `invalid_request`, `too_many_requests`
 */
export async function receiveCall(deps: CallDeps, name: string, raw: RawEvent): Promise<ReceivedCall> {
  const orgId = readHookOrganization(name);
  const hook = orgId === undefined ? undefined : await findHook(deps.database, orgId, name);
  const workflow = hook && orgId ? await findCurrentByKey(deps.database, orgId, hook.workflowKey) : undefined;
  const config = workflow?.definition.nodes.find(({ identifier }) => identifier === hook?.node)?.config;
  if (!orgId || !hook || !workflow || config?.type !== 'WEBHOOK_TRIGGER') throw notFound('Trigger', name, 'name');
  const event = await readProven(deps, orgId, config, raw);
  if (config['published'] === false) return dropped;
  if (!holds(config['condition'], event, deps.clock.now())) return dropped;
  return store(deps, orgId, { workflow, node: hook.node, config, event });
}

const dropped: ReceivedCall = { state: 'dropped', runIdentifier: null };

const usualHeader: Readonly<Record<string, string>> = {
  'sha256-hmac': 'x-signature-256',
  github: 'x-hub-signature-256',
  bearer: 'authorization',
};

/** The call, after its proof was checked over the bytes as they came. */
async function readProven(deps: CallDeps, orgId: string, config: NodeConfig, raw: RawEvent): Promise<WebhookEvent> {
  const signature = String(config['signature']);
  const own = signature === 'sha256-hmac' ? config['signatureHeader'] : undefined;
  const header = typeof own === 'string' ? own : (usualHeader[signature] ?? '');
  const opened = createSecretScope();
  const secret = (await deps.secrets.secretsOf(orgId, opened))[String(config['secretName'])];
  const headers = toHeaders(raw);
  const given = headers[header.toLowerCase()] ?? '';
  const isPrefixed = signature === 'github' || (signature === 'sha256-hmac' && given.startsWith('sha256='));
  const rules = {
    signatureHeaderName: header,
    signatureAlgorithm: signature === 'bearer' ? ('plain' as const) : ('sha256' as const),
    signaturePrefix: signature === 'bearer' ? 'Bearer ' : isPrefixed ? 'sha256=' : '',
  };
  // a secret of no characters proves nothing
  const unsigned = whyUnsigned(rules, secret === '' ? undefined : secret, { bytes: raw.bytes, headers });
  if (unsigned !== undefined) throw new AppError('unauthorized', unsigned);
  const event = readEvent(raw, header);
  // senders put the secret into other headers and the address too
  const shown = opened.mask({ headers: event.headers, queryParams: event.queryParams });
  return { ...event, ...shown };
}

interface Proven {
  readonly workflow: StoredWorkflow;
  readonly node: string;
  readonly config: NodeConfig;
  readonly event: WebhookEvent;
}

async function store(deps: CallDeps, orgId: string, { workflow, node, config, event }: Proven): Promise<ReceivedCall> {
  const organization = await findOrganization(deps.database, orgId);
  const actor: Actor = { ...systemActor(orgId, organization?.model), origin: 'AUTOMATION' };
  const idempotencyKey = readDelivery(config, node, event);
  const trigger = mapCall(config, event, deps.clock.now());
  return deps.unitOfWork(actor, async (work) => {
    const versions = await holdVersions(work.tx, orgId, [workflow.key]);
    // saved anew meanwhile: the sender sends it again, to the new version
    if (versions.get(workflow.key) !== workflow.version) {
      throw new AppError('too_many_requests', 'The workflow is being changed; send it again', { retryAfterSeconds: 1 });
    }
    if (await findPause(work.tx, orgId, workflow.key, node)) return dropped;
    const earlier =
      idempotencyKey === null
        ? undefined
        : await findRunByKey(work.tx, orgId, { workflowKey: workflow.key, by: actor.id, idempotencyKey });
    if (earlier) return { state: 'dropped', runIdentifier: earlier.id };
    const since = new Date(work.now.getTime() - 60_000);
    const counted = await countStarts(work.tx, orgId, [workflow.key], since);
    const starts = counted.find((each) => each.node === node)?.starts ?? 0;
    if (starts >= limits.startsPerTriggerAndMinute) {
      const message = `This trigger starts at most ${limits.startsPerTriggerAndMinute} runs within a minute; send it again later`;
      throw new AppError('too_many_requests', message, { retryAfterSeconds: 60 });
    }
    const run = newWorkflowRun(workflow, {
      triggerNode: node,
      trigger,
      now: work.now,
      createdBy: actor.id,
      createdByKind: 'system',
      depth: 0,
      causedBy: null,
      textAuthors: ['outside'],
      idempotencyKey,
    });
    const isNew = await storeNewRun(work, run);
    return isNew ? { state: 'started', runIdentifier: run.id } : dropped;
  });
}

/** The name of the delivery, as far as the sender gives one. */
function readDelivery(config: NodeConfig, node: string, { headers }: WebhookEvent): string | null {
  const own = config['deliveryHeader'];
  const usual = config['signature'] === 'github' ? 'x-github-delivery' : 'x-delivery-id';
  const id = headers[(typeof own === 'string' ? own : usual).toLowerCase()];
  if (id === undefined || id === '') return null;
  return `hook:${createHash('sha256')
    .update(stringify([node, id]))
    .digest('base64url')}`;
}

/** What the run gets; an expression that fails, or has no time left, gives nothing. */
export function mapCall(
  config: NodeConfig,
  event: Pick<WebhookEvent, 'body' | 'headers' | 'queryParams'>,
  now: Date,
): Readonly<Record<string, unknown>> {
  const input = { body: event.body, headers: { ...event.headers }, queryParams: { ...event.queryParams } };
  if (!isRecord(config['mapping'])) return input;
  const time = shareTime(now, mappingMillisecondsMax);
  const { evaluate } = mapWithin(time);
  return Object.fromEntries(
    Object.entries(toRecord(config['mapping'])).map(([key, expression]) => {
      if (time.leftMs() <= 0) return [key, null];
      const found = evaluate(String(expression), input as never, now);
      return [key, 'error' in found ? null : (found.value ?? null)];
    }),
  );
}
