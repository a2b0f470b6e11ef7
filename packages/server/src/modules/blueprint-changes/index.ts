export { createEntityListener } from './follow-blueprint-change.ts';
