import { type AuditPart, type AuditRecord, auditParts } from '@portolan/contract/audit';
import type { StoredRecord } from './journal.store.ts';

/** Names of team references, in the form the organization shows; references that are missing show nothing. */
export type TeamNames = ReadonlyMap<string, string>;

/** How records are shown to one caller. */
export interface Shown {
  readonly orgId: string;
  readonly names: TeamNames;
  /** Whether a computed value of entities of a blueprint shows; all do if absent. */
  readonly isShown?: ((blueprint: string, key: string) => boolean) | undefined;
  /** The parts that were asked for; all if absent. */
  readonly parts?: readonly AuditPart[] | undefined;
}

/** The record as it is answered, or the parts of it that were asked for. */
export function presentRecord(record: StoredRecord, shown: Shown): Partial<AuditRecord> {
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
      origin: originOf(record),
    },
    context: record.context,
    diff: { before: stateOf(record, record.before, shown), after: stateOf(record, record.after, shown) },
    message: record.message,
    additionalData: record.additionalData ?? {},
  } as AuditRecord;
  return Object.fromEntries(parts.map((part) => [part, whole[part]]));
}

/** Clients that keep catalogs in step show as themselves (api contract §1.8). */
const integrations = /^(port-ocean\/|port-k8s-exporter|port\/K8S-EXPORTER|github-action\/)/i;

function originOf({ origin, datasource }: StoredRecord): string {
  return origin === 'API' && integrations.test(datasource) ? datasource : origin;
}

interface RecordedEntity {
  readonly properties?: object;
  readonly derived?: object;
  readonly teamRefs?: readonly string[];
  readonly ownTeamRefs?: readonly string[];
}

/** An entity is shown as the API shows it: computed values among the properties, teams by their names. */
function stateOf({ resourceType, context }: StoredRecord, state: unknown, { names, isShown }: Shown): unknown {
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

/** Every team reference in the diffs of entities. */
export function teamReferencesIn(records: readonly StoredRecord[]): string[] {
  const references = records
    .filter(({ resourceType }) => resourceType === 'entity')
    .flatMap(({ before, after }) =>
      [before, after].flatMap((state) => (state as RecordedEntity | null)?.teamRefs ?? []),
    );
  return [...new Set(references)];
}
