import type { WorkflowsDeps } from '../workflows.deps.ts';

export type NoticesDeps = Pick<WorkflowsDeps, 'database' | 'unitOfWork' | 'feed'>;
