export { createEntityListener } from './follow-blueprint-change.ts';
export { followScorecard } from './rename-key.ts';
