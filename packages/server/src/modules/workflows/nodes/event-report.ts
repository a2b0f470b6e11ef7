import { isRecord } from '@portolan/contract/json-value';
import { teamNames } from '../../accounts/index.ts';
import { toAutomationEvent } from '../../automations/index.ts';
import { type StoredRecord, teamReferencesIn } from '../../journal/index.ts';
import { withOutputs } from '../definitions/rules/expressions.ts';
import { holds } from './event-condition.ts';
import type { NodeCall } from './node-kind.ts';
import type { NodeRunReport } from './node-run.ports.ts';
import type { NodesDeps } from './nodes.deps.ts';
import { runContext, withoutEncrypted } from './run-context.ts';

/** What an event is for the step that waits; undefined if it is not the one that it waits for. */
export async function reportOfEvent(
  deps: Pick<NodesDeps, 'database'>,
  call: NodeCall,
  record: StoredRecord | undefined,
): Promise<NodeRunReport | undefined> {
  if (!record) return undefined;
  const { orgId, model } = call.actor;
  const names = await teamNames(deps.database, orgId, model, teamReferencesIn([record]));
  const event = toAutomationEvent(record, { orgId, names });
  const { outputs } = withoutEncrypted(await runContext(deps, call), call);
  if (!isWaitedFor(call, event, outputs)) return undefined;
  return { status: 'COMPLETED', result: 'SUCCESS', output: { timeout: false, event } };
}

function isWaitedFor({ node, now }: NodeCall, event: unknown, outputs: unknown): boolean {
  const { condition } = node.config;
  if (!isRecord(condition) || !Array.isArray(condition['expressions'])) return true;
  const expressions = condition['expressions'].map(String).map(withOutputs);
  return holds({ ...condition, expressions }, { event, outputs }, now);
}
