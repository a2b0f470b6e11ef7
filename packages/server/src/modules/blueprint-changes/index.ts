export { createEntityKeeper } from './follow-blueprint-change.ts';
