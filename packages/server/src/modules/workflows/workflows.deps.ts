import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { ActionsDeps } from '../actions/index.ts';

/** What workflows need: what actions do, since they send with the same backends and show the same forms. */
export interface WorkflowsDeps extends ActionsDeps {
  readonly jobs: Pick<Jobs, 'enqueue' | 'enqueueAll'>;
  readonly log: { warn(context: Readonly<Record<string, unknown>>, message: string): void };
}
