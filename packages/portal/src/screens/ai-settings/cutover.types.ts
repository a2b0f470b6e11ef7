import type { AnswerOf } from '../../api/api.ts';

export type Cutover = AnswerOf<'getCutover'>['cutover'];
