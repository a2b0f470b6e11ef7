import type { Work } from '../../../platform/unit-of-work.ts';

/** Everything recorded through it is in the audit log, and nobody reacts: nothing changed for people (decision 0041). */
export function silently(work: Work, migrationId: string): Work {
  return {
    ...work,
    record: (entry) => work.record({ ...entry, context: { ...entry.context, migrationId }, isSilent: true }),
  };
}
