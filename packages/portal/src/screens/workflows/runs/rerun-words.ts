import type { AnswerOf } from '../../../api/api.ts';
import { t } from '../../../kit/translate.ts';

export type Plan = AnswerOf<'getRerunPlan'>['plan'];
type Step = Plan['steps'][number];

/** What becomes of a step, in words. */
export function becomesWords({ becomes, reason }: Step): string {
  if (becomes === 'reused') return t('is taken over');
  if (becomes === 'ahead') return t('may follow');
  return reason === null ? t('is carried out again') : t('is carried out again: {why}', { why: reasonWords(reason) });
}

function reasonWords(reason: NonNullable<Step['reason']>): string {
  return {
    'inputs-changed': t('the inputs are others'),
    'version-changed': t('the decision was made for another version'),
    'node-changed': t('the step has changed'),
    'not-pressed': t('nobody pressed its button'),
    'effect-never-reached': t('the approved step was not reached'),
    'own-approval': t('you approved it yourself'),
    compensated: t('it was undone'),
    'another-requester': t('the question depends on the person who started the run'),
  }[reason];
}

/** What a step does to others, in words; undefined where it does nothing. */
export function effectWords({ effect }: Step): string | undefined {
  return { none: undefined, ours: t('changes the catalog'), outside: t('calls others') }[effect];
}
