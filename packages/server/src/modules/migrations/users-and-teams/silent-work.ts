import type { Work } from '../../../platform/unit-of-work.ts';

/** Records to the audit log only: nothing changed for people, so nothing reacts (decision 0041). */
export function silently(work: Work, migrationId: string): Work {
  return {
    ...work,
    record: (entry) => work.record({ ...entry, context: { ...entry.context, migrationId }, isSilent: true }),
  };
}
