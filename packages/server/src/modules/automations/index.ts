export { createAutomations } from './automations.module.ts';
export { changelogInterest } from './changelog/interest.sql.ts';
export { decideCondition, type Verdict } from './check-condition.ts';
export { shareConditionTimes } from './condition-times.ts';
export { toAutomationEvent } from './event.ts';
export { automationInterest } from './interest.sql.ts';
export { createReactionWaker } from './wake-reactions.ts';
