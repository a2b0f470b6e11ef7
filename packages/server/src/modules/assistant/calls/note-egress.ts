import type { CallDecision, CallFacts } from '../../../platform/tools/call-decision.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { insertEgress } from './egress.store.ts';

/** Notes what a call is about to send to a connected server, so that it is known even if the process ends with it. */
export async function noteEgress(
  { database, clock }: Pick<AssistantDeps, 'database' | 'clock'>,
  { orgId, id, callId }: { readonly orgId: string; readonly id: string; readonly callId: string },
  { server, inputs }: CallFacts,
  decision: CallDecision,
): Promise<void> {
  if (!server || decision.result !== 'execute') return;
  const sent = {
    callId,
    server: server.identifier,
    tool: server.tool,
    rule: decision.observed?.rule ?? decision.rule,
    isObserved: decision.observed !== undefined,
    arguments: inputs.map(({ key, value }) => ({
      name: key,
      bytes: Buffer.byteLength(JSON.stringify(value) ?? ''),
      origin: decision.origins[key] ?? { from: 'model' as const },
    })),
    sentAt: clock.now(),
  };
  await database.transaction((tx) => insertEgress(tx, orgId, id, sent));
}
