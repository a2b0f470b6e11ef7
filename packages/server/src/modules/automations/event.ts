import type { RunFacts } from '../actions/index.ts';
import { presentRecord, type StoredRecord, type TeamNames } from '../journal/index.ts';

/** An event as conditions and templates read it (catalog semantics §5.3). */
export interface AutomationEvent {
  readonly action: string;
  readonly resourceType: string;
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly diff: { readonly before: unknown; readonly after: unknown };
}

export interface EventFacts {
  readonly orgId: string;
  readonly names: TeamNames;
  /** Set if the record is about a run. */
  readonly run?: RunFacts | undefined;
}

export function toAutomationEvent(record: StoredRecord, { orgId, names, run }: EventFacts): AutomationEvent {
  const shown = presentRecord(record, { orgId, names });
  const { trigger, diff, resourceType } = shown as Required<typeof shown>;
  const { blueprint = null, entity = null, property = null } = record.context;
  if (record.resourceType === 'run') {
    // to automations, approving a draft creates the run
    const wasDraft = (record.before as { status?: unknown } | null)?.status === 'DRAFT';
    return {
      action: wasDraft ? 'CREATE' : record.action,
      resourceType,
      trigger,
      context: { action: run ? wholeAction(run) : { identifier: record.context['action'] } },
      diff: { before: wasDraft ? null : diff.before, after: diff.after },
    };
  }
  return {
    action: record.action,
    resourceType,
    trigger,
    context: { blueprintIdentifier: blueprint, entityIdentifier: entity, propertyIdentifier: property },
    diff,
  };
}

function wholeAction({ action: { id, definition }, actionIdentifier }: RunFacts) {
  return { id, identifier: actionIdentifier, ...definition };
}
