import type { BlueprintBody, Relation } from '@portolan/contract/blueprints';
import { defaultScorecardLevels } from '@portolan/contract/scorecards';

/** The type of relations from results to the entities they are about. */
export const resultTargetType = 'rule_result_target';

const passed = { combinator: 'and', rules: [{ property: 'result', operator: '=', value: 'Passed' }] };

/** Counts results along a path, and those that passed. */
function counts(path: readonly string[], subject: string, noun: string): Partial<BlueprintBody> {
  const count = (title: string, query?: typeof passed) => ({
    title,
    type: 'number' as const,
    target: '_rule_result',
    calculationSpec: { calculationBy: 'entities' as const, func: 'count' as const },
    ...(query ? { query } : {}),
    pathFilter: [{ path: [...path], fromBlueprint: '_rule_result' }],
  });
  const [tested, good] = [`.properties.${subject}_tested`, `.properties.${subject}_passed`];
  return {
    aggregationProperties: {
      [`${subject}_tested`]: count(`${noun} tested`),
      [`${subject}_passed`]: count(`${noun} passed`, passed),
    },
    calculationProperties: {
      [`of_${subject}_passed`]: {
        title: `% of ${noun.toLowerCase()} passed`,
        type: 'number',
        calculation: `if (${tested} // 0) == 0 then null else (${good} // 0) / ${tested} * 100 | round end`,
      },
    },
  };
}

/** `_scorecard` (api contract §3.15.6): a scorecard as an entity, in sync with its blueprint's scorecard. */
const scorecard: BlueprintBody = {
  identifier: '_scorecard',
  title: 'Scorecard',
  icon: 'Scorecards',
  schema: {
    properties: {
      blueprint: {
        type: 'string',
        title: 'Blueprint',
        description: 'The blueprint whose entities are evaluated',
        format: 'blueprints',
      },
      levels: {
        type: 'array',
        title: 'Levels',
        description: 'The levels, lowest first; the first is where every entity begins',
        items: { type: 'object' },
        default: defaultScorecardLevels.map((level) => ({ ...level })),
      },
      filter: { type: 'object', title: 'Filter', description: 'Which entities are evaluated; all without it' },
    },
    required: ['blueprint'],
  },
  ...counts(['rule', 'scorecard'], 'rules', 'Rules'),
};

const rule: BlueprintBody = {
  identifier: '_rule',
  title: 'Rule',
  icon: 'Checklist',
  schema: {
    properties: {
      level: { type: 'string', title: 'Level', description: 'The level that needs the rule' },
      query: { type: 'object', title: 'Query', description: 'What must hold of an entity' },
      rule_description: { type: 'string', title: 'Rule Description' },
    },
    required: ['level', 'query'],
  },
  relations: { scorecard: { title: 'Scorecard', target: '_scorecard', required: true, many: false } },
  ...counts(['rule'], 'entities', 'Entities'),
};

/** The wire's name; the glossary calls it something else. */
const linkKey = 'entity_link';

/**
 * `_rule_result`: a rule's result for an entity. Every blueprint with scorecards adds a relation to the entity, whose
 * teams own the result.
 */
const ruleResult: BlueprintBody = {
  identifier: '_rule_result',
  title: 'Rule Result',
  icon: 'Checklist',
  includeInGlobalSearch: false,
  schema: {
    properties: {
      result: {
        type: 'string',
        title: 'Result',
        enum: ['Passed', 'Not passed'],
        enumColors: { Passed: 'green', 'Not passed': 'red' },
      },
      entity: { type: 'string', title: 'Entity', description: 'The identifier of the entity' },
      result_last_change: {
        type: 'string',
        title: 'Result Last Change',
        description: 'When the result became what it is',
        format: 'date-time',
      },
    },
    required: ['result', 'entity', 'result_last_change'],
  },
  relations: { rule: { title: 'Rule', target: '_rule', required: true, many: false } },
  mirrorProperties: {
    level: { title: 'Level', path: 'rule.level' },
    scorecard: { title: 'Scorecard', path: 'rule.scorecard.$identifier' },
    blueprint: { title: 'Blueprint', path: 'rule.scorecard.blueprint' },
  },
  calculationProperties: {
    [linkKey]: {
      title: 'Entity Link',
      type: 'string',
      format: 'url',
      calculation: '"/" + (.properties.blueprint // "" | @uri) + "Entity?identifier=" + (.properties.entity | @uri)',
    },
  },
  ownership: { type: 'Direct', title: 'Owning Teams' },
};

/** In the order of creation. */
export const scorecardBlueprints: readonly BlueprintBody[] = [scorecard, rule, ruleResult];

export function isScorecardData(identifier: string): boolean {
  return scorecardBlueprints.some((body) => body.identifier === identifier);
}

/** Relations of results to entities, by key; empty for other blueprints. */
export function resultTargets({
  identifier,
  definition,
}: {
  readonly identifier: string;
  readonly definition: Pick<BlueprintBody, 'relations'>;
}): Record<string, Relation> {
  if (identifier !== ruleResult.identifier) return {};
  return Object.fromEntries(
    Object.entries(definition.relations ?? {}).filter(([, { type }]) => type === resultTargetType),
  );
}
