import { isDrop } from '@portolan/evaluation';
import { counted } from '../output.ts';
import type { UnjudgedReport } from './eval-report.ts';

export interface Gates {
  /** The least share of right cases, of every variant. */
  readonly failBelow: number | undefined;
  readonly costMax: number | undefined;
}

/** Why a run does not pass, a sentence for each reason; empty if it passes. */
export function judgeReport({ variants }: UnjudgedReport, { failBelow, costMax }: Gates, notAsked: number): string[] {
  const reasons = variants.flatMap(({ name, share, change, cases }) => {
    const isBelow = failBelow !== undefined && share < failBelow;
    const executed = cases.filter(({ trials }) =>
      trials.some(({ grades }) => grades.some(({ grader, passed }) => grader === 'nothing_executed' && !passed)),
    );
    return [
      ...(isBelow
        ? [`${name}: ${(share * 100).toFixed(1)} % are right; --fail-below asks for ${failBelow * 100} %.`]
        : []),
      ...(change && isDrop(change)
        ? [`${name}: fewer are right than in the baseline, and more fewer than chance explains.`]
        : []),
      ...executed.map((each) => `${name}: an action was executed for ${each.case}; no evaluation may do that.`),
    ];
  });
  const spent =
    notAsked > 0 ? [`--max-cost ${costMax} is spent; ${counted(notAsked, 'question')} were not asked.`] : [];
  return [...reasons, ...spent];
}
