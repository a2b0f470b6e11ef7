export type { InvocationEffects } from './assistant.deps.ts';
export { type AiOptions, createAssistant } from './assistant.module.ts';
export { agentSchemaAt } from './cutover/follow-cutover.ts';
export { createPrompts, type Prompts } from './guidance/prompts.ts';
export { skillTools } from './guidance/skills.tools.ts';
export type { LoopLimits } from './loop/loop-input.ts';
export type { ModelSettings } from './model/model-settings.ts';
