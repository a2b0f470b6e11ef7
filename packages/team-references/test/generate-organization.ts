import type { JsonObject, OrganizationDocuments, OrganizationModel } from '../src/index.ts';
import { blueprint, organization, teams } from './organization.ts';

/** Where a reference was put: kind, identifier and pointer, as an item names them. */
export type Planted = string;
export interface GeneratedOrganization {
  readonly documents: OrganizationDocuments;
  readonly planted: ReadonlySet<Planted>;
  readonly decoys: number;
}

/** A small generator of numbers, so that a seed gives the same organization everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Choice {
  readonly random: () => number;
  constructor(seed: number) {
    this.random = createRandom(seed);
  }
  of<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)]!;
  }
}

function getpath(root: string, keys: readonly string[]): string {
  if (root.includes('[')) return `${root} | getpath(${JSON.stringify(keys)})`;
  return `getpath(${JSON.stringify([...root.split('.').filter(Boolean), ...keys])})`;
}

const accessOfTeam = (root: string): string[] => [
  `${root}.team`,
  `${root}."team"`,
  `${root || '.'}["team"]`,
  `${root || '.'}["$team"]`,
  `${root}."$team"`,
  `${root === '' ? '.' : root} | .team`,
  `${root}.team?`,
  getpath(root, ['team']),
  `${root || '.'} as {team: $t} | $t`,
  `${root || '.'} as {$team} | $team`,
  `${root || '.'} as $e | $e.team`,
  `(${root || '.'} | {team}) | .team`,
  `def owners: ${root}.team; owners`,
];

const usesOfTeam = (access: string, title: string): string[] => [
  access,
  `(${access}) | length`,
  `(${access}) | length > 0`,
  `(${access}) | join(", ")`,
  `(${access}) | index(${title}) != null`,
  `(${access}) | contains([${title}])`,
  `(${access}) | any(. == ${title})`,
  `[(${access})[] | select(. != ${title})]`,
  `if ((${access}) | index(${title})) then "yes" else "no" end`,
  `(${access})[0] // "nobody"`,
  `((${access})[0]) as $first | {owner: $first}`,
  `reduce (${access})[] as $t (""; . + $t)`,
  `"owned by \\((${access})[0])"`,
];

const accessOfRelation = (root: string, relation: string): string[] => [
  `${root}.relations.${relation}`,
  `${root}.relations["${relation}"]`,
  `${root}.relations."${relation}"`,
  `${root}.relations | .${relation}`,
  `${root}.relations as $r | $r.${relation}`,
  `${root || '.'} as {relations: {${relation}: $o}} | $o`,
  getpath(root, ['relations', relation]),
  `${root}.relations | {${relation}} | .${relation}`,
];

/** Expressions with `.team` of something else, longer names, prose. */
const decoyExpressions = (root: string): string[] => [
  `${root}.properties.team`,
  `${root}.properties.team_size > 3`,
  `${root}.properties["team-name"]`,
  `${root}.teams`,
  `${root}.properties.kind == "SRE"`,
  `${root}.relations.owners_backup`,
  `${root}.relations.system`,
  `${root}.relations.advised | length`,
  `${root}.relations.team`,
  `${root}.title`,
  `${root}.title | test("team")`,
  `"read the .team of it"`,
  `{team: ${root}.title}`,
  `"https://my.team.example.com/" + ${root}.identifier`,
  `${root}.properties.team | contains(["SRE"])`,
  `[${root}.properties.members[]?.team]`,
  `${root || '.'} | keys | length`,
];

/** An organization of the model with a reference of each kind in random forms, and as many decoys. */
export function generateOrganization(model: OrganizationModel, seed: number): GeneratedOrganization {
  const choice = new Choice(seed);
  const planted = new Set<Planted>();
  let decoys = 0;
  const titles = teams
    .map(({ title }) => title)
    .filter((title) => !teams.some(({ identifier }) => identifier === title));
  const literal = (): string => JSON.stringify(choice.of(titles));
  const expression = (root: string): string => {
    const isOfRelation = model === 'beta' && choice.random() < 0.5 && root !== '.user';
    const relation = isOfRelation ? 'owners' : '';
    const access = choice.of(isOfRelation ? accessOfRelation(root, relation) : accessOfTeam(root));
    return choice.of(usesOfTeam(access, literal()));
  };
  const decoy = (root: string): string => {
    decoys += 1;
    return choice.of(decoyExpressions(root));
  };
  const note = (kind: string, identifier: string, pointer: string): void =>
    void planted.add(`${kind} ${identifier} ${pointer}`);
  const base = organization(model);
  const kinds = ['legacy', 'beta'].includes(model) ? base.blueprints : [];
  const property = (calculation: string): JsonObject => ({ title: 'x', type: 'string', calculation });
  const calculations: Record<string, JsonObject> = {};
  for (let at = 0; at < 12; at++) {
    calculations[`c${at}`] = property(expression(''));
    note('blueprint', 'ledger', `/calculationProperties/c${at}/calculation`);
    calculations[`d${at}`] = property(decoy(''));
  }
  for (const [at, text] of ['.. | .team?', 'to_entries | map(.value)', '. | tojson', '.["te" + "am"]'].entries()) {
    calculations[`u${at}`] = property(text);
    note('blueprint', 'ledger', `/calculationProperties/u${at}/calculation`);
  }
  const ruleOf = (value: string): JsonObject => ({ property: '$team', operator: 'containsAny', value: [value] });
  const about = (name: string): JsonObject =>
    choice.of<JsonObject>([
      { property: 'kind', operator: '=', value: name },
      { relation: 'advised', operator: '=', value: 'sre' },
      { property: '$title', operator: 'contains', value: name },
    ]);
  const query = (rules: JsonObject[]): JsonObject => ({ combinator: 'and', rules });
  const blueprints = kinds.map((document) => {
    if (document.blueprint['identifier'] !== 'ledger') return document;
    note('blueprint', 'ledger', '/aggregationProperties/a0/query/rules/0');
    note('blueprint', 'ledger', '/schema/properties/squad');
    note('blueprint', 'ledger', '/changelogDestination');
    note('blueprint-permissions', 'ledger', '/entities/read/policy/rules/0');
    decoys += 2;
    return {
      ...document,
      entitiesWithTeam: 3,
      blueprint: {
        ...document.blueprint,
        calculationProperties: calculations,
        aggregationProperties: {
          a0: { target: 'ledger', calculationSpec: {}, query: query([ruleOf(choice.of(titles)), about('SRE')]) },
        },
        changelogDestination: { type: 'WEBHOOK', url: 'https://my.team.example.com/hook' },
      },
      permissions: {
        entities: {
          read: { roles: [], users: [], teams: [], policy: query([ruleOf(choice.of(titles)), about('SRE')]) },
        },
      },
    };
  });
  const actions = Array.from({ length: 6 }, (_, at) => action(at));
  function action(at: number) {
    const identifier = `act${at}`;
    const pointerOf = (key: string): string => `/trigger/userInputs/properties/${key}`;
    note('action', identifier, `${pointerOf('a')}/visible/jqQuery`);
    note('action', identifier, `${pointerOf('b')}/dataset/rules/0`);
    note('action', identifier, pointerOf('c'));
    note('action', identifier, `${pointerOf('c')}/default`);
    note('action', identifier, '/invocationMethod/body/x');
    note('action', identifier, '/invocationMethod/url');
    note('action', identifier, '/invocationMethod/headers/X-Squad');
    note('action-permissions', identifier, '/execute/policy/queries/q/rules/0');
    note('action-permissions', identifier, '/execute/policy/conditions/0');
    note('action-permissions', identifier, '/approve/policy/conditions/0');
    const policy = (): JsonObject => ({
      queries: { q: query([{ ...ruleOf(choice.of(titles)) }, about('Pay')]) },
      conditions: [expression('.results.q.entities[0]'), '.results.q.entities | length > 0'],
    });
    const approve = { ...policy(), queries: { q: query([about('SRE')]) } };
    decoys += 8;
    return {
      action: {
        identifier,
        title: identifier,
        description: 'Asks the team of SRE, {{ not }} a reference',
        trigger: {
          type: 'self-service',
          operation: 'DAY-2',
          blueprintIdentifier: 'ledger',
          userInputs: {
            properties: {
              a: { type: 'string', visible: { jqQuery: choice.of([expression('.user'), expression('.entity')]) } },
              b: {
                type: 'string',
                format: 'entity',
                blueprint: 'ledger',
                dataset: query([ruleOf(choice.of(titles)), about('Pay')]),
              },
              c: { type: 'string', format: 'team', default: choice.of(titles) },
              d: { type: 'string', visible: { jqQuery: decoy('.entity') } },
              team: { type: 'string', title: 'team', description: 'which .team?' },
            },
          },
        },
        invocationMethod: {
          type: 'WEBHOOK',
          url: `https://my.team.example.com/{{ ${expression('.entity')} }}/team`,
          headers: { 'X-Squad': `{{ ${expression('.entity')} }}`, 'X-Team': '{{ .inputs.team }}' },
          body: {
            x: `a {{ ${expression('.entity')} }} b`,
            y: `{{ ${decoy('.entity')} }}`,
            z: '.team',
            w: '{{ .inputs.team }}',
          },
        },
      },
      permissions: {
        execute: { roles: [], users: [], teams: [], policy: policy() },
        approve: { roles: [], users: [], teams: [], policy: approve },
      },
    };
  }
  const automations = Array.from({ length: 4 }, (_, at) => {
    const identifier = `auto${at}`;
    note('automation', identifier, '/trigger/condition/expressions/0');
    note('automation', identifier, '/invocationMethod/mapping/team');
    if (model === 'beta') note('automation', identifier, '/invocationMethod/mapping/relations/owners');
    decoys += 3;
    return {
      action: {
        identifier,
        title: identifier,
        trigger: {
          type: 'automation',
          event: { type: 'ENTITY_UPDATED', blueprintIdentifier: 'ledger' },
          condition: {
            type: 'JQ',
            expressions: [
              expression(choice.of(['.diff.after', '.diff.before', '.event.diff.after'])),
              decoy('.diff.after'),
            ],
            combinator: 'and',
          },
        },
        invocationMethod: {
          type: 'UPSERT_ENTITY',
          blueprintIdentifier: 'ledger',
          mapping: {
            identifier: '{{ .event.diff.after.identifier }}',
            team: choice.of<string | string[]>([
              choice.of(titles),
              [choice.of(titles)],
              '{{ .event.diff.after.properties.team }}',
            ]),
            properties: { team: '{{ .event.diff.after.properties.team }}', kind: 'SRE of prose' },
            relations: {
              system: '{{ .event.diff.after.relations.system }}',
              ...(model === 'beta' ? { owners: ['sre'] } : {}),
            },
          },
        },
      },
      permissions: null,
    };
  });
  const oldAction = {
    action: {
      identifier: 'old',
      title: 'old',
      trigger: 'DAY-2',
      blueprint: 'ledger',
      userInputs: {
        properties: {
          a: { type: 'string', default: { jqQuery: expression('.entity') } },
          b: { type: 'string', default: 'b' },
        },
      },
      invocationMethod: {
        type: 'WEBHOOK',
        url: 'https://api.example.com/v1/migrations',
        body: {
          sourceBlueprint: 'ledger',
          mapping: { entity: { team: `.team + [${literal()}] | unique`, identifier: '.identifier' } },
        },
      },
    },
    permissions: null,
  };
  note('action', 'old', '/userInputs/properties/a/default/jqQuery');
  note('action', 'old', '/invocationMethod/body/mapping/entity/team');
  const integrations = [
    ...Array.from({ length: 4 }, (_, at): JsonObject => {
      note('integration', `int${at}`, '/config/resources/0/port/entity/mappings/team');
      if (model === 'beta')
        note('integration', `int${at}`, '/config/resources/0/port/entity/mappings/relations/owners');
      decoys += 3;
      const team = choice.of<JsonObject | string>([
        literal(),
        '.owner.squad',
        `if .x then ${literal()} else null end`,
        { combinator: '"and"', rules: [{ property: '"$title"', operator: '"="', value: '.squad' }] },
      ]);
      return {
        identifier: `int${at}`,
        integrationType: 'jira',
        config: {
          resources: [
            {
              kind: 'project',
              selector: { query: 'true' },
              port: {
                entity: {
                  mappings: {
                    identifier: '.key',
                    blueprint: '"ledger"',
                    team,
                    properties: { team: '.team.name', kind: '.fields.team' },
                    relations: { team: '.team.id', system: '.x', ...(model === 'beta' ? { owners: '.owners' } : {}) },
                  },
                },
              },
            },
            {
              kind: 'issue',
              selector: { query: '.team == "SRE"' },
              port: {
                entity: {
                  mappings: {
                    identifier: '.team',
                    blueprint: '"system"',
                    properties: { kind: '.team' },
                    relations: { teams: '.teams' },
                  },
                },
              },
            },
          ],
        },
      };
    }),
    { identifier: 'gh', integrationType: 'GitHub', config: null },
    { identifier: 'k8s', integrationType: 'K8S EXPORTER', config: null },
  ];
  note('integration', 'gh', '/config');
  const webhooks = Array.from({ length: 4 }, (_, at): JsonObject => {
    note('webhook', `hook${at}`, '/mappings/0/entity/team');
    decoys += 2;
    return {
      identifier: `hook${at}`,
      title: 'h',
      mappings: [
        {
          blueprint: 'ledger',
          filter: '.body.team == "SRE"',
          entity: {
            identifier: '.body.id',
            team: choice.of([literal(), '.body.team', '.body.team.name']),
            properties: { kind: '.body.team' },
          },
        },
        {
          blueprint: 'system',
          filter: 'true',
          entity: { identifier: '.body.team', properties: {}, relations: { teams: '.body.team' } },
        },
      ],
    };
  });
  const owners = model === 'beta';
  const pages = Array.from({ length: 4 }, (_, at) => {
    const identifier = `page${at}`;
    note('page', identifier, '/widgets/0/widgets/0/dataset/rules/0');
    note('page', identifier, '/pageFilters/0/query/rules/0');
    decoys += 6;
    const widget = '/widgets/0/widgets/1';
    if (owners) {
      note('page', identifier, `${widget}/excludedFields`);
      for (const part of [
        'propertiesSettings/order',
        'propertiesSettings/shown',
        'groupSettings/groupBy',
        'sortSettings/sortBy/0/property',
        'filterSettings/filterBy/rules/0',
      ])
        note('page', identifier, `${widget}/blueprintConfig/ledger/${part}`);
      note('page', identifier, '/widgets/0/widgets/2/property');
    }
    const field = owners ? 'owners' : 'kind';
    const config = (name: string): JsonObject => ({
      propertiesSettings: { order: [name], shown: ['$title', name], hidden: ['team', 'team_size'] },
      groupSettings: { groupBy: [name] },
      sortSettings: { sortBy: [{ property: name, order: 'asc' }] },
      filterSettings: { filterBy: query([{ property: name, operator: 'containsAny', value: ['sre'] }]) },
    });
    return {
      page: {
        identifier,
        title: 'The team of SRE',
        type: 'dashboard',
        pageFilters: [{ identifier: 'f', query: query([ruleOf(choice.of(titles))]) }],
        widgets: [
          {
            id: 'dash',
            type: choice.of(['dashboard-widget', 'tabs', 'grouper']),
            widgets: [
              {
                id: 'w0',
                type: 'entities-number-chart',
                title: 'SRE',
                blueprint: 'ledger',
                dataset: query([ruleOf(choice.of(titles)), about('SRE')]),
              },
              {
                id: 'w1',
                type: 'table-entities-explorer',
                blueprint: 'ledger',
                excludedFields: [`relations.${owners ? 'owners' : 'system'}`, 'properties.team'],
                blueprintConfig: { ledger: config(field), squad: config('owners') },
              },
              {
                id: 'w2',
                type: 'entities-pie-chart',
                blueprint: 'ledger',
                property: `relation#${owners ? 'owners' : 'system'}`,
              },
              { id: 'w3', type: 'markdown', markdown: 'Ask .team SRE about relations.owners' },
              { id: 'w4', type: 'entities-pie-chart', blueprint: 'squad', property: 'property#owners' },
            ],
          },
        ],
      },
      permissions: null,
    };
  });
  const scorecards = Array.from({ length: 3 }, (_, at): JsonObject => {
    note('scorecard', `sc${at}`, '/filter/conditions/0');
    note('scorecard', `sc${at}`, '/rules/0/query/conditions/0');
    if (owners) note('scorecard', `sc${at}`, '/rules/0/query/conditions/2');
    decoys += 1;
    const conditions: JsonObject[] = [
      { property: '$team', operator: 'contains', value: choice.of(titles) },
      { property: 'kind', operator: '=', value: 'SRE' },
      ...(owners ? [{ relation: 'owners', operator: 'isNotEmpty' }] : []),
    ];
    return {
      identifier: `sc${at}`,
      title: 'team',
      blueprint: 'ledger',
      filter: { combinator: 'and', conditions: [{ property: '$team', operator: 'isNotEmpty' }] },
      rules: [{ identifier: 'r', title: 'Has a team', level: 'Gold', query: { combinator: 'and', conditions } }],
    };
  });
  const agents: JsonObject[] = [
    { identifier: 'helper', title: 'x', properties: { prompt: `Hand over to ${choice.of(titles)}, please.` } },
    { identifier: 'other', title: 'x', properties: { prompt: 'Every team may ask. PaymentsCore is a product.' } },
  ];
  note('agent', 'helper', '/properties/prompt');
  decoys += 1;
  return {
    documents: {
      ...base,
      blueprints: [
        ...blueprints,
        { blueprint: blueprint('clean', { changelogDestination: { type: 'KAFKA' } }), permissions: null },
      ],
      actions: [...actions, ...automations, oldAction],
      integrations,
      webhooks,
      pages,
      scorecards,
      agents,
    },
    planted,
    decoys,
  };
}
