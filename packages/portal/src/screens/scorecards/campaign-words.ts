import type { Campaign, CampaignProgress, CampaignStatus, CampaignTarget } from '@portolan/contract/campaigns';
import type { Scorecard } from '@portolan/contract/scorecards';
import { linkOptions } from '@tanstack/react-router';
import { plural, t } from '../../kit/translate.ts';
import { writtenDate } from '../../parts/campaigns/due.ts';

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

/** The rules that lead to a target. */
export function targetRules(target: CampaignTarget, { levels, rules }: Pick<Scorecard, 'levels' | 'rules'>): string[] {
  if ('rules' in target) return target.rules;
  const titles = levels.map(({ title }) => title);
  const last = titles.indexOf(target.level);
  return rules.filter(({ level }) => titles.indexOf(level) <= last).map(({ identifier }) => identifier);
}

/** When the last reminder went, to how many, and when the next one goes. */
export function reminderText({ last, next }: CampaignProgress['reminders']): string {
  const parts: string[] = [];
  if (last) {
    const at = writtenDate(last.at.slice(0, 10));
    const people = last.people === null ? undefined : plural(last.people, '{count} person', '{count} people');
    parts.push(
      people === undefined
        ? t('Owners of open entities were reminded on {at}.', { at })
        : t('{people} with open entities were reminded on {at}.', { people, at }),
    );
  }
  if (next) parts.push(t('The next reminder goes on {next}.', { next: writtenDate(next) }));
  return parts.join(' ');
}
