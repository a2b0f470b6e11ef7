import type { Campaign, CampaignBody, CampaignStatus } from '@portolan/contract/campaigns';
import type { Scorecard } from '@portolan/contract/scorecards';
import { completed, joined, noRules, type Query, type Rule } from '../../parts/entities/operators.ts';

/** A campaign while it is edited. */
export interface Draft extends Record<string, unknown> {
  readonly title: string;
  readonly description: string;
  /** Blueprint and identifier of the scorecard, as `scorecardKey` writes them; empty until one is chosen. */
  readonly scorecard: string;
  readonly aim: 'level' | 'rules';
  readonly level: string;
  readonly rules: string[];
  readonly filter: Query;
  readonly owner: string;
  readonly dueDate: string;
  readonly status: CampaignStatus;
  readonly remindOwners: boolean;
}

/** Identifiers may hold any sign but a line break. */
export function scorecardKey({ blueprint, identifier }: Pick<Scorecard, 'blueprint' | 'identifier'>): string {
  return `${blueprint}\n${identifier}`;
}

export function keyParts(key: string): { readonly blueprint: string; readonly scorecard: string } {
  const [blueprint = '', scorecard = ''] = key.split('\n');
  return { blueprint, scorecard };
}

/** People are given so many days unless told. */
const usualDays = 30;

export function newDraft(now: Date, scorecard: Scorecard | undefined): Draft {
  const due = new Date(now.getFullYear(), now.getMonth(), now.getDate() + usualDays);
  const day = [due.getFullYear(), due.getMonth() + 1, due.getDate()].map((part) => String(part).padStart(2, '0'));
  return {
    title: '',
    description: '',
    aim: 'level',
    owner: '',
    dueDate: day.join('-'),
    status: 'active',
    remindOwners: true,
    ...ofScorecard(scorecard),
  };
}

/** A chosen scorecard, with its highest level as the target. */
export function ofScorecard(scorecard: Scorecard | undefined): Pick<Draft, 'scorecard' | 'level' | 'rules' | 'filter'> {
  const level = scorecard?.levels.slice(1).at(-1)?.title ?? '';
  return { scorecard: scorecard ? scorecardKey(scorecard) : '', level, rules: [], filter: noRules };
}

export function toDraft(campaign: Campaign): Draft {
  const {
    title,
    description = '',
    blueprint,
    scorecard,
    target,
    filter,
    owner = '',
    dueDate,
    status,
    remindOwners,
  } = campaign;
  return {
    title,
    description,
    scorecard: scorecardKey({ blueprint, identifier: scorecard }),
    aim: 'level' in target ? 'level' : 'rules',
    level: 'level' in target ? target.level : '',
    rules: 'rules' in target ? target.rules : [],
    filter: (filter as Query | undefined) ?? noRules,
    owner,
    dueDate,
    status,
    remindOwners,
  };
}

export function toBody(draft: Draft): CampaignBody {
  const { title, description, aim, level, rules, owner, dueDate, status, remindOwners } = draft;
  const filter = completed(draft.filter);
  return {
    title: title.trim(),
    ...(description.trim() === '' ? {} : { description }),
    ...keyParts(draft.scorecard),
    target: aim === 'level' ? { level } : { rules },
    ...(filter.rules.length === 0 ? {} : { filter: filter as CampaignBody['filter'] }),
    ...(owner === '' ? {} : { owner }),
    dueDate,
    status,
    remindOwners,
  };
}

/** What people wrote of a stored campaign, to compare with what they write now. */
export function readBody(campaign: Campaign): CampaignBody {
  return toBody(toDraft(campaign));
}

/** Who takes part in a draft, and who of them has reached its target; undefined until there is enough to ask. */
export function draftQueries(
  draft: Draft,
  scorecard: Scorecard | undefined,
): { readonly measured: Query; readonly reached: Query } | undefined {
  if (!scorecard) return undefined;
  const { identifier, levels } = scorecard;
  const isMeasured: Query = { combinator: 'and', rules: [{ scorecard: identifier, operator: 'isNotEmpty' }] };
  const measured = joined([completed(draft.filter), isMeasured]) ?? isMeasured;
  const pass: Query = { combinator: 'and', rules: targetRules(draft, identifier, levels) };
  const reached = joined([measured, pass]);
  return pass.rules.length === 0 || !reached ? undefined : { measured, reached };
}

function targetRules({ aim, level, rules }: Draft, scorecard: string, levels: Scorecard['levels']): Rule[] {
  if (aim === 'rules') {
    return rules.map((scorecardRule) => ({ scorecard, scorecardRule, operator: '=', value: 'SUCCESS' }));
  }
  const titles = levels.map(({ title }) => title);
  const from = titles.indexOf(level);
  return from < 1 ? [] : [{ scorecard, operator: 'in', value: titles.slice(from) }];
}
