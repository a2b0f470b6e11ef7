import { isRecord } from '@portolan/contract/json-value';
import type { JqValue } from '@portolan/jq';
import { evaluateCondition, type JqResult } from '../../../platform/expressions.ts';
import { teamNames } from '../../accounts/index.ts';
import { toAutomationEvent } from '../../automations/index.ts';
import { type StoredRecord, teamReferencesIn } from '../../journal/index.ts';
import { withOutputs } from '../definitions/rules/expressions.ts';
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
  if (!holds(call, event, outputs)) return undefined;
  return { status: 'COMPLETED', result: 'SUCCESS', output: { timeout: false, event } };
}

function holds({ node, now }: NodeCall, event: unknown, outputs: unknown): boolean {
  const { condition } = node.config;
  const expressions = isRecord(condition) && Array.isArray(condition['expressions']) ? condition['expressions'] : [];
  if (!isRecord(condition) || expressions.length === 0) return true;
  const input = { event, outputs } as unknown as JqValue;
  const found = evaluateCondition(expressions.map(String).map(withOutputs), input, now);
  const isTrue = (result: JqResult): boolean => !('error' in result) && result.value === true;
  return condition['combinator'] === 'or' ? found.some(isTrue) : found.every(isTrue);
}
