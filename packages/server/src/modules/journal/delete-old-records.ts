import type { JobDeclaration } from '../../platform/jobs/job.ts';
import { type RetentionPorts, retentionJob } from '../../platform/jobs/retention-job.ts';
import { deleteRecordsBefore, listRecordingOrganizations } from './journal.store.ts';

const batchSize = 5_000;

export function deleteOldRecords(ports: RetentionPorts, keptDays: number): JobDeclaration {
  return retentionJob(ports, {
    name: 'journal.delete-old-records',
    keptDays,
    batchSize,
    organizations: listRecordingOrganizations,
    removeBatch: (tx, orgId, before) => deleteRecordsBefore(tx, orgId, before, batchSize),
  });
}
