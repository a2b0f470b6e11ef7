import type { JobDeclaration } from '../../../platform/jobs/job.ts';
import { type RetentionPorts, retentionJob } from '../../../platform/jobs/retention-job.ts';
import { deleteNoticesBefore, listOrganizationsWithNotices } from './notice.store.ts';

const deletedAtOnce = 500;

/** Notices are kept as long as runs, read or not. */
export function noticeJobs(deps: RetentionPorts & { readonly keptDays: number }): JobDeclaration[] {
  return [
    retentionJob(deps, {
      name: 'workflows.delete-old-notices',
      keptDays: deps.keptDays,
      batchSize: deletedAtOnce,
      organizations: listOrganizationsWithNotices,
      removeBatch: (tx, orgId, before) => deleteNoticesBefore(tx, orgId, before, deletedAtOnce),
    }),
  ];
}
