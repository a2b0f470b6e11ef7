import { counted, equals, type Integration, number, text, to, url, when } from './integration.ts';

/** Groups in groups, repositories, changes: relations through several levels, mirrors over two and three hops. */
export const gitHosting: Integration = {
  name: 'git hosting',
  blueprints: [
    {
      identifier: 'gitGroup',
      title: 'Group',
      icon: 'Git',
      schema: { properties: { visibility: { type: 'string', enum: ['public', 'private'] }, url } },
      relations: { parent: to('gitGroup') },
      mirrorProperties: { parentTitle: { title: 'Parent', path: 'parent.$title' } },
      aggregationProperties: {
        openChanges: counted('Open changes', 'gitChange', [equals('state', 'open')], {
          pathFilter: [{ path: ['repository', 'group'], fromBlueprint: 'gitChange' }],
        }),
      },
    },
    {
      identifier: 'gitRepository',
      title: 'Repository',
      icon: 'Git',
      schema: {
        properties: {
          readme: { type: 'string', format: 'markdown' },
          url,
          language: text,
          languages: { type: 'object' },
          topics: { type: 'array' },
          defaultBranch: text,
          lastPush: when,
          isArchived: { type: 'boolean', default: false },
        },
        required: [],
      },
      relations: { group: to('gitGroup', { required: true }), maintainers: to('_user', { many: true }) },
      mirrorProperties: {
        groupUrl: { title: 'Group URL', path: 'group.url' },
        topGroup: { title: 'Top group', path: 'group.parent.$title' },
        maintainerMails: { path: 'maintainers.$identifier' },
      },
      calculationProperties: {
        host: { type: 'string', calculation: '.properties.url | capture("https?://(?<host>[^/]+)").host' },
        isService: { type: 'boolean', calculation: '.properties.readme // "" | test("## +run"; "i")' },
        languageShare: {
          type: 'string',
          calculation:
            '.properties.languages | to_entries | sort_by(-.value) | map("\\(.key) \\(.value)%") | join(", ")',
        },
        lifecycle: {
          type: 'string',
          colorized: true,
          colors: { archived: 'lightGray', active: 'green', unknown: 'yellow' },
          calculation:
            "if .properties.isArchived then 'archived' elif .properties.lastPush == null then 'unknown' else 'active' end",
        },
      },
      aggregationProperties: {
        openChanges: counted('Open changes', 'gitChange', [equals('state', 'open')]),
        meanSize: {
          title: 'Mean size of a change',
          target: 'gitChange',
          type: 'number',
          calculationSpec: { calculationBy: 'property', func: 'average', averageOf: 'total', property: 'lines' },
          query: { combinator: 'or', rules: [equals('state', 'merged'), equals('state', 'open')] },
        },
      },
      ownership: { type: 'Direct' },
    },
    {
      identifier: 'gitChange',
      title: 'Change',
      schema: {
        properties: {
          state: {
            type: 'string',
            enum: ['open', 'merged', 'closed'],
            enumColors: { open: 'yellow', merged: 'green', closed: 'red' },
          },
          lines: number,
          createdAt: when,
          closedAt: when,
          reviewers: { type: 'array', items: { type: 'string', format: 'user' } },
          url,
        },
      },
      relations: { repository: to('gitRepository') },
      mirrorProperties: {
        groupTitle: { path: 'repository.group.$title' },
        topGroup: { path: 'repository.group.parent.$title' },
        repositoryOwner: { path: 'repository.$team' },
        host: { path: 'repository.host' },
      },
      calculationProperties: {
        hoursOpen: {
          type: 'number',
          calculation:
            'if .properties.closedAt == null then null else ((.properties.closedAt | fromdateiso8601) - (.properties.createdAt | fromdateiso8601)) / 3600 | floor end',
        },
        size: {
          type: 'string',
          calculation: '.properties.lines as $n | if $n > 500 then "large" elif $n > 50 then "middle" else "small" end',
        },
      },
      ownership: { type: 'Inherited', path: 'repository' },
    },
  ],
  scorecards: {
    gitRepository: {
      identifier: 'hygiene',
      title: 'Hygiene',
      rules: [
        {
          identifier: 'documented',
          title: 'Has a readme',
          level: 'Bronze',
          query: { combinator: 'and', conditions: [{ property: 'readme', operator: 'isNotEmpty' }] },
        },
        {
          identifier: 'fewOpen',
          title: 'Few open changes',
          level: 'Silver',
          query: { combinator: 'and', conditions: [{ property: 'openChanges', operator: '<', value: 2 }] },
        },
      ],
    },
  },
  entities: [
    ['_team', { identifier: 'platform', title: 'Platform' }],
    ['gitGroup', { identifier: 'acme', title: 'Acme', properties: { url: 'https://git.example.com/acme' } }],
    ['gitGroup', { identifier: 'acme/core', title: 'Core', relations: { parent: 'acme' } }],
    [
      'gitRepository',
      {
        identifier: 'acme/core/router',
        title: 'router',
        team: ['platform'],
        properties: {
          url: 'https://git.example.com/acme/core/router',
          readme: '# Router\n\n## Run it',
          languages: { Go: 80, Shell: 20 },
          topics: ['net', 'go'],
          lastPush: '2026-01-10T00:00:00Z',
        },
        relations: { group: 'acme/core', maintainers: [] },
      },
    ],
    [
      'gitChange',
      {
        identifier: 'router-1',
        properties: {
          state: 'merged',
          lines: 600,
          createdAt: '2026-01-01T00:00:00Z',
          closedAt: '2026-01-02T06:30:00Z',
          reviewers: ['a@example.com'],
        },
        relations: { repository: 'acme/core/router' },
      },
    ],
    [
      'gitChange',
      {
        identifier: 'router-2',
        properties: { state: 'open', lines: 40, createdAt: '2026-01-01T00:00:00Z' },
        relations: { repository: 'acme/core/router' },
      },
    ],
    ['gitChange', { identifier: 'stray', properties: { state: 'open', lines: 51 }, relations: { repository: null } }],
  ],
  expected: {
    'gitGroup/acme/core': { parentTitle: 'Acme', openChanges: 1 },
    'gitGroup/acme': { parentTitle: null, openChanges: 0 },
    'gitRepository/acme/core/router': {
      groupUrl: null,
      topGroup: 'Acme',
      maintainerMails: [],
      host: 'git.example.com',
      isService: true,
      languageShare: 'Go 80%, Shell 20%',
      lifecycle: 'active',
      openChanges: 1,
      meanSize: 320,
      $level: 'Silver',
    },
    'gitChange/router-1': {
      groupTitle: 'Core',
      topGroup: 'Acme',
      host: 'git.example.com',
      repositoryOwner: ['platform'],
      hoursOpen: 30,
      size: 'large',
      $team: ['platform'],
    },
    'gitChange/router-2': { hoursOpen: null, size: 'small', groupTitle: 'Core' },
    'gitChange/stray': { groupTitle: null, host: null, repositoryOwner: null, size: 'middle', $team: [] },
  },
};
