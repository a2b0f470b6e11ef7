export { createChecklist } from './checklist.module.ts';
