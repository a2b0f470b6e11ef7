import { workflowNodesMax } from '@portolan/contract/workflows';

/** Bounds of workflows and their runs. */
export const limits = {
  nodes: workflowNodesMax,
  /** Bytes of a definition as JSON. */
  definitionBytes: 1_048_576,
  workflowsPerOrganization: 5_000,
  stepsPerRun: 500,
  /** Bytes kept of what one node gave, and of everything that one run gave. */
  outputBytesPerNode: 262_144,
  outputBytesPerRun: 8_388_608,
  /** Runs that one run began, by whatever way: steps of it, or events. */
  runsPerRoot: 1_000,
  /** Bodies in bodies, and runs in runs. */
  nesting: 5,
  branches: 20,
  /** Length of a chain of runs, of whatever kind, that led to one another. */
  depth: 20,
  startsPerTriggerAndMinute: 600,
  /** Seconds between two ticks of a schedule, at least. */
  scheduleSeconds: 300,
} as const;
