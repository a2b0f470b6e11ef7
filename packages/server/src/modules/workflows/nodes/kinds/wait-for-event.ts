import { toRecord } from '@portolan/contract/json-value';
import { lockBlueprint } from '../../../blueprints/index.ts';
import { deliverEarlier } from '../../../journal/index.ts';
import { failedNode } from '../node-failure.ts';
import type { NodeKind } from '../node-kind.ts';
import type { NodesDeps } from '../nodes.deps.ts';
import { numberWithin } from '../retry-rule.ts';
import { takeWaits } from '../take-waits.ts';
import { waitsConsumer } from '../wait-interest.sql.ts';
import { insertWait } from '../waits.store.ts';

const daySeconds = 86_400;
/** Of what happened before, as many events are looked at. */
const earlierMax = 1_000;

const recorded: Readonly<Record<string, readonly string[]>> = {
  ENTITY_CREATED: ['entity.created'],
  ENTITY_UPDATED: ['entity.updated'],
  ENTITY_DELETED: ['entity.deleted'],
  ANY_ENTITY_CHANGE: ['entity.created', 'entity.updated', 'entity.deleted'],
  TIMER_EXPIRED: ['entity.timer-expired'],
};

/**
 * Waits for an event of an entity. Whoever writes entities holds their blueprint: locking it in the transaction that
 * stores the wait leaves nobody whose commit the wait does not see.
 */
export function waitForEventKind(deps: NodesDeps): NodeKind {
  return {
    effect: 'ours',
    async carryOut(call, settle) {
      const { actor, node, now, nodeRun, run } = call;
      const { orgId } = actor;
      const { type, blueprintIdentifier, propertyIdentifier } = toRecord(node.config['event']);
      const event = String(type);
      const blueprint = String(blueprintIdentifier);
      const property = event === 'TIMER_EXPIRED' ? String(propertyIdentifier) : null;
      const seconds = numberWithin(node.config['timeoutSeconds'], 1, 90 * daySeconds, 7 * daySeconds);
      const found = await deps.unitOfWork(actor, async (work) => {
        if (!(await lockBlueprint(work.tx, orgId, blueprint))) return false;
        await insertWait(work.tx, orgId, { nodeRunId: nodeRun.id, event, blueprint, property, at: work.now });
        await settle(work, {
          kind: 'waits',
          for: 'report',
          dueAt: new Date(now.getTime() + seconds * 1_000),
          input: { event: { type: event, blueprintIdentifier: blueprint, propertyIdentifier: property } },
          raw: {},
        });
        if (node.config['since'] !== 'run-start') return true;
        const events = recorded[event] ?? [];
        const earlier = { blueprint, events, property, from: run.createdAt };
        const target = { consumer: waitsConsumer, target: nodeRun.id };
        if ((await deliverEarlier(work.tx, orgId, target, earlier, earlierMax)) > 0) await work.enqueue(takeWaits, {});
        return true;
      });
      return found ? 'settled' : failedNode(`There is no blueprint "${blueprint}"`);
    },
  };
}
