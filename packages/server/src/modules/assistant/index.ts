export { type Assistant, createAssistant } from './assistant.module.ts';
export type { ModelSettings } from './model/create-model.ts';
