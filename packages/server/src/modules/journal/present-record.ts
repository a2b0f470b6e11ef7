import { type AuditPart, type AuditRecord, auditParts } from '@portolan/contract/audit';
import type { StoredRecord } from './journal.store.ts';

/** Team names by reference, in the form that the organization uses; unknown references have no entry. */
export type TeamNames = ReadonlyMap<string, string>;

export interface RecordContext {
  readonly orgId: string;
  readonly names: TeamNames;
  /** Selects the derived values to show; all if absent. */
  readonly isShown?: ((blueprint: string, key: string) => boolean) | undefined;
  /** Parts of the record to present; all if absent. */
  readonly parts?: readonly AuditPart[] | undefined;
}

export function presentRecord(record: StoredRecord, shown: RecordContext): Partial<AuditRecord> {
  const { orgId, parts = auditParts } = shown;
  const whole = {
    identifier: record.id,
    action: record.action,
    resourceType: record.resourceType,
    status: record.status,
    trigger: {
      at: record.at.toISOString(),
      by: {
        userId: record.actorId,
        orgId,
        ...(record.actorKind === 'person' ? { user: { email: record.actorId } } : {}),
        ...(record.actorKind === 'system' ? { byPort: true } : {}),
      },
      origin: presentOrigin(record),
    },
    context: record.context,
    diff: { before: presentState(record, record.before, shown), after: presentState(record, record.after, shown) },
    message: record.message,
    additionalData: record.additionalData ?? {},
  } as AuditRecord;
  return Object.fromEntries(parts.map((part) => [part, whole[part]]));
}

/** Integrations are shown under their own name (api contract §1.8). */
const integrations = /^(port-ocean\/|port-k8s-exporter|port\/K8S-EXPORTER|github-action\/)/i;

function presentOrigin({ origin, datasource }: StoredRecord): string {
  return origin === 'API' && integrations.test(datasource) ? datasource : origin;
}

interface RecordedEntity {
  readonly properties?: object;
  readonly derived?: object;
  readonly teamRefs?: readonly string[];
  readonly ownTeamRefs?: readonly string[];
}

/** Presents an entity as the API does: derived values among the properties, teams by name. */
function presentState(
  { resourceType, context }: StoredRecord,
  state: unknown,
  { names, isShown }: RecordContext,
): unknown {
  if (state === null || state === undefined) return null;
  if (resourceType !== 'entity') return state;
  const { properties, derived = {}, teamRefs, ownTeamRefs: _own, ...rest } = state as RecordedEntity;
  const blueprint = context['blueprint'] ?? '';
  const computed = Object.entries(derived).filter(([key]) => isShown?.(blueprint, key) ?? true);
  return {
    ...rest,
    blueprint,
    team: (teamRefs ?? []).flatMap((reference) => names.get(reference) ?? []),
    properties: { ...properties, ...Object.fromEntries(computed) },
  };
}

export function teamReferencesIn(records: readonly StoredRecord[]): string[] {
  const references = records
    .filter(({ resourceType }) => resourceType === 'entity')
    .flatMap(({ before, after }) =>
      [before, after].flatMap((state) => (state as RecordedEntity | null)?.teamRefs ?? []),
    );
  return [...new Set(references)];
}
