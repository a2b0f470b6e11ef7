export { createAutomations } from './automations.module.ts';
export { changelogInterest } from './changelog/interest.ts';
export { automationInterest } from './interest.ts';
export { createReactionWaker } from './wake-reactions.ts';
