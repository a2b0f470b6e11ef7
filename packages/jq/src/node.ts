/** The parts of this package that need Node: threads, and V8's regular expressions with a deadline. */
export {
  type BatchOptions,
  type BatchRunner,
  type BatchRunnerOptions,
  createBatchRunner,
} from './batch/batch-runner.ts';
export type { BatchError, BatchErrorKind, BatchItem, BatchResult } from './batch/messages.ts';
export { nodeRegexEngine } from './node-regex-engine.ts';
