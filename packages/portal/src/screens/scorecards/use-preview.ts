import { useDebouncedValue } from '@mantine/hooks';
import type { ScorecardPreview } from '@portolan/contract/scorecards';
import type { InputOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { plural, t } from '../../kit/translate.ts';
import { type Draft, previewable } from './scorecard-draft.ts';

export function previewInput(blueprint: string, draft: Draft): InputOf<'previewScorecard'> {
  return {
    params: { blueprint_identifier: blueprint },
    body: previewable(draft) as unknown as InputOf<'previewScorecard'>['body'],
  };
}

/** What the draft would find on the entities there are, a moment after the last change. */
export function usePreview(blueprint: string, draft: Draft, isOn: boolean) {
  const [asked] = useDebouncedValue(JSON.stringify(previewable(draft)), 350);
  const read = useRead('previewScorecard', previewInput(blueprint, JSON.parse(asked) as Draft), {
    isOn: isOn && blueprint !== '',
    keepsPrevious: true,
  });
  const isBehind = read.isFetching || asked !== JSON.stringify(previewable(draft));
  return { read, isBehind };
}

/** The changes in one sentence, such as "4 entities fall, 1 rises". */
export function changeSentence({ fallCount, riseCount, changedCount, levels }: ScorecardPreview): string {
  const isFirst = levels.every(({ before }) => before === 0);
  if (isFirst) return t('Nothing is measured yet.');
  if (changedCount === 0) return t('No entity changes its level.');
  const others = changedCount - fallCount - riseCount;
  const parts = [
    ...(fallCount > 0 ? [plural(fallCount, '{count} entity falls', '{count} entities fall')] : []),
    ...(riseCount > 0 ? [plural(riseCount, '{count} entity rises', '{count} entities rise')] : []),
    ...(others > 0
      ? [plural(others, '{count} entity is new or relabeled', '{count} entities are new or relabeled')]
      : []),
  ];
  return `${parts.join(', ')}.`;
}
