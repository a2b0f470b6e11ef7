import type { StartDeps } from '../actions/index.ts';
import type { LiveFeed } from '../journal/index.ts';
import type { RunsDeps } from './runs/runs.deps.ts';

/** What workflows need: what actions do, since they show the same forms and send by the same backends, and the jobs. */
export type WorkflowsDeps = StartDeps & Pick<RunsDeps, 'jobs' | 'log'> & { readonly feed: LiveFeed };
