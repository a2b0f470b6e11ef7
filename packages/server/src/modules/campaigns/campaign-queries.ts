import type { CampaignTarget, campaignProblems } from '@portolan/contract/campaigns';
import type { SearchQuery, SearchRule } from '@portolan/contract/search-query';
import { blueprintProperties, blueprintRelations, listDerivedKeys, type StoredBlueprint } from '../blueprints/index.ts';
import { namesCaller } from '../entity-query/index.ts';
import { type StoredScorecard, scorecardLevels } from '../scorecard-rules/index.ts';
import type { CampaignDefinition } from './campaign.ts';
import type { ExemptionScope } from './is-exempt.sql.ts';

type CampaignProblem = (typeof campaignProblems)[number];

/** The entities that take part, those of them that reached the target, and those that fall short of it. */
export interface CampaignQueries {
  readonly measured: SearchQuery;
  readonly reached: SearchQuery;
  readonly open: SearchQuery;
  /** What an exemption has to be from, so that an open entity is exempt. */
  readonly exempt: ExemptionScope;
}

/** A campaign as searches of its blueprint, or what it names and is gone. Pure. */
export function campaignQueries(
  blueprint: StoredBlueprint,
  scorecards: readonly StoredScorecard[],
  { scorecard: identifier, target, filter }: Pick<CampaignDefinition, 'scorecard' | 'target' | 'filter'>,
): CampaignQueries | { readonly problem: CampaignProblem } {
  const scorecard = scorecards.find((each) => each.identifier === identifier);
  if (!scorecard) return { problem: 'scorecard' };
  if (filter && filterIssues(blueprint, scorecards, filter).length > 0) return { problem: 'filter' };
  const pass = targetRules(scorecard, target);
  if ('problem' in pass) return pass;
  const measured = all([...(filter ? [filter] : []), { scorecard: identifier, operator: 'isNotEmpty' }]);
  return {
    measured,
    reached: all(pass.reached),
    open: all([...measured.rules, { combinator: 'or', rules: pass.open }]),
    exempt: { scorecard: identifier, rules: pass.rules },
  };
}

function all(rules: SearchQuery['rules']): SearchQuery {
  return { combinator: 'and', rules };
}

function targetRules(
  { identifier: scorecard, definition }: StoredScorecard,
  target: CampaignTarget,
):
  | { readonly reached: SearchRule[]; readonly open: SearchRule[]; readonly rules: readonly string[] }
  | { readonly problem: CampaignProblem } {
  if ('level' in target) {
    const titles = scorecardLevels(definition).map(({ title }) => title);
    const from = titles.indexOf(target.level);
    if (from < 1) return { problem: 'level' };
    const value = titles.slice(from);
    const leads = ({ level }: { readonly level: string }): boolean => titles.indexOf(level) <= from;
    return {
      reached: [{ scorecard, operator: 'in', value }],
      open: [{ scorecard, operator: 'notIn', value }],
      rules: definition.rules.filter(leads).map((rule) => rule.identifier),
    };
  }
  const known = new Set(definition.rules.map(({ identifier }) => identifier));
  if (!target.rules.every((rule) => known.has(rule))) return { problem: 'rules' };
  const each = (operator: '=' | '!='): SearchRule[] =>
    target.rules.map((scorecardRule) => ({ scorecard, scorecardRule, operator, value: 'SUCCESS' }));
  return { reached: each('='), open: each('!='), rules: target.rules };
}

/** What of a filter names nothing, or somebody: it must mean the same whoever looks. */
export function filterIssues(
  blueprint: StoredBlueprint,
  scorecards: readonly StoredScorecard[],
  filter: SearchQuery,
): string[] {
  if (namesCaller(filter) || JSON.stringify(filter).includes('"My Teams"')) {
    return ['must not depend on who looks; name teams and people'];
  }
  const known = {
    property: new Set([
      ...Object.keys(blueprintProperties(blueprint)),
      ...Object.keys(blueprintRelations(blueprint)),
      ...listDerivedKeys(blueprint),
    ]),
    relation: new Set(Object.keys(blueprintRelations(blueprint))),
    scorecard: new Set(scorecards.map(({ identifier }) => identifier)),
  };
  const isKnown = (kind: keyof typeof known, name: unknown): boolean =>
    typeof name !== 'string' || name.startsWith('$') || known[kind].has(name) || known[kind].has(head(name));
  const visit = (query: SearchQuery): string[] =>
    query.rules.flatMap((rule) => {
      if ('combinator' in rule) return visit(rule);
      return (['property', 'relation', 'scorecard'] as const).flatMap((kind) => {
        const name: unknown = kind in rule ? (rule as unknown as Record<string, unknown>)[kind] : undefined;
        const message = `names "${String(name)}", which is no ${kind} of the blueprint "${blueprint.identifier}"`;
        return isKnown(kind, name) ? [] : [message];
      });
    });
  return visit(filter);
}

/** The properties that a filter names, without what is inside them. */
export function propertiesIn(filter: SearchQuery): string[] {
  return filter.rules.flatMap((rule) => {
    if ('combinator' in rule) return propertiesIn(rule);
    return 'property' in rule && typeof rule.property === 'string' ? [head(rule.property)] : [];
  });
}

function head(name: string): string {
  return name.split('.', 1)[0] as string;
}
