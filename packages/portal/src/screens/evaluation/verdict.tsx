import { type ComparisonWord, compareCases, type KeptCase } from '@portolan/evaluation';
import { plural, t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';

const words: Readonly<
  Record<ComparisonWord, { readonly colour: 'green' | 'red' | 'lightGray'; readonly text: string }>
> = {
  better: { colour: 'green', text: t('Better') },
  worse: { colour: 'red', text: t('Worse') },
  'cannot tell': { colour: 'lightGray', text: t('Cannot tell') },
};

/** Whether a variant is better than another on the cases that both were asked, and on how many it rests. */
export function Verdict({ base, now }: { base: readonly KeptCase[]; now: readonly KeptCase[] }) {
  const { word, pairs, worse, better } = compareCases(base, now);
  const { colour, text } = words[word];
  return (
    <>
      <ColourBadge colour={colour}>{text}</ColourBadge>{' '}
      {pairs === 0
        ? t('no case in common')
        : t('{better} better and {worse} worse of {pairs}', {
            better: better.length,
            worse: worse.length,
            pairs: plural(pairs, '{count} case', '{count} cases'),
          })}
    </>
  );
}
