import { isRecord } from '@portolan/contract/json-value';
import type { StoredRecord } from '../../journal/index.ts';

/** What a trigger reads of a run that has ended. */
export function toRunEvent({ identifier, resourceType, after }: StoredRecord): Readonly<Record<string, unknown>> {
  const run = isRecord(after) ? after : {};
  // what was sent, and by whose authority, is nothing that others read
  const { payload: _payload, authority: _authority, decision: _decision, draft: _draft, ...shown } = run;
  return resourceType === 'run'
    ? { type: 'ACTION_RUN_ENDED', run: { ...shown, id: identifier } }
    : { type: 'WORKFLOW_RUN_ENDED', run: { ...shown, identifier } };
}
