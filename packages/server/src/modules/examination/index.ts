export { createExamination } from './examination.module.ts';
