/** Kinds of steps that change something, so that there may be something to undo, and that may undo it. */
export const changingSteps: ReadonlySet<string> = new Set([
  'WEBHOOK',
  'KAFKA',
  'INTEGRATION_ACTION',
  'UPSERT_ENTITY',
  'DELETE_ENTITY',
  'RUN_ACTION',
  'NOTIFY',
  'AI',
  'AI_AGENT',
  'RUN_WORKFLOW',
  'MAP',
  'PARALLEL',
  'REPEAT',
]);
