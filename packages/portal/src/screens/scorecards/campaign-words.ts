import type { Campaign, CampaignProgress, CampaignStatus, CampaignTarget } from '@portolan/contract/campaigns';
import type { Scorecard } from '@portolan/contract/scorecards';
import { linkOptions } from '@tanstack/react-router';
import { plural, t } from '../../kit/translate.ts';

export const statusWords: Readonly<Record<CampaignStatus, string>> = {
  draft: t('Draft'),
  active: t('Active'),
  done: t('Done'),
  archived: t('Archived'),
};

export const statusColours: Readonly<Record<CampaignStatus, string>> = {
  draft: 'purple',
  active: 'blue',
  done: 'green',
  archived: 'darkGray',
};

/** Whether a campaign is over, which people look back at and no longer work on. */
export function isOver({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'done' || status === 'archived';
}

/** The scorecard that a campaign is about, unless it is gone. */
export function findScorecard(
  scorecards: readonly Scorecard[] | undefined,
  { blueprint, scorecard }: Pick<Campaign, 'blueprint' | 'scorecard'>,
): Scorecard | undefined {
  return scorecards?.find((each) => each.blueprint === blueprint && each.identifier === scorecard);
}

/** What is to be reached: "Gold or higher", or the titles of the rules. */
export function targetText(target: CampaignTarget, scorecard: Pick<Scorecard, 'levels' | 'rules'> | undefined): string {
  if ('level' in target) {
    const isTop = scorecard?.levels.at(-1)?.title === target.level;
    return isTop ? target.level : t('{level} or higher', { level: target.level });
  }
  const [first = '', ...others] = target.rules.map(
    (rule) => scorecard?.rules.find(({ identifier }) => identifier === rule)?.title ?? rule,
  );
  return others.length === 0
    ? first
    : t('{first} and {count}', { first, count: plural(others.length, '{count} more rule', '{count} more rules') });
}

/** Why a campaign cannot be measured. */
export const problemTexts: Readonly<Record<NonNullable<CampaignProgress['problem']>, string>> = {
  scorecard: t('Its scorecard was deleted.'),
  level: t('The scorecard no longer has the level that it is about.'),
  rules: t('The scorecard no longer has the rules that it is about.'),
  filter: 'Its filter names something that the blueprint no longer has.',
};

export function campaignAddress(id: string) {
  return linkOptions({ to: '/builder/campaigns/$campaign', params: { campaign: id } });
}

/** The share that has reached the target, in whole percent; 100 only for all. */
export function percent({ reached, total }: { readonly reached: number; readonly total: number }): number {
  return total === 0 ? 0 : Math.floor((reached / total) * 100);
}
