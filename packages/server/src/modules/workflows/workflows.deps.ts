import type { ActionsDeps } from '../actions/index.ts';

/** What workflows need: what actions do, since they send with the same backends and show the same forms. */
export type WorkflowsDeps = ActionsDeps;
