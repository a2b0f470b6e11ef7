import type { GraderKit } from '@portolan/evaluation';
import { explainBadSchema, explainSchema } from './answer-schema.ts';
import { compilePattern } from './patterns.ts';

export const nodeGraderKit: GraderKit = {
  compilePattern,
  schemas: { explain: explainSchema, explainBad: explainBadSchema },
};
