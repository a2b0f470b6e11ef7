import type { Work } from '../../../platform/unit-of-work.ts';
import { presentRun, type StoredRun } from './run.ts';

export function recordRun(work: Work, before: StoredRun | undefined, after: StoredRun): void {
  work.record({
    event: before ? 'run.updated' : 'run.created',
    action: before ? 'UPDATE' : 'CREATE',
    resourceType: 'run',
    identifier: after.id,
    context: {
      runId: after.id,
      action: after.actionIdentifier,
      ...(after.invocation === null ? {} : { invocation: after.invocation.id }),
      ...(after.blueprint === null ? {} : { blueprint: after.blueprint }),
      ...(after.entity === null ? {} : { entity: after.entity }),
    },
    ...(before ? { before: presentRun(before, 'v2') } : {}),
    after: presentRun(after, 'v2'),
  });
}
