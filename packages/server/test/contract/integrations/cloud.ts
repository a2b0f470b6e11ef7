import { counted, equals, type Integration, number, text, to, url } from './integration.ts';

/** Accounts, regions and resources of a cloud: sums over two hops, tags, lists of lists. */
export const cloud: Integration = {
  name: 'cloud',
  blueprints: [
    {
      identifier: 'cloudAccount',
      title: 'Account',
      schema: { properties: { link: url, mail: { type: 'string', format: 'email' } }, required: [] },
      relations: {},
      aggregationProperties: {
        monthlyCost: {
          title: 'Monthly cost',
          target: 'cloudResource',
          type: 'number',
          calculationSpec: { calculationBy: 'property', func: 'sum', property: 'monthlyCost' },
          pathFilter: [{ path: ['region', 'account'], fromBlueprint: 'cloudResource' }],
        },
        publicBuckets: counted('Public buckets', 'cloudResource', [
          equals('kind', 'bucket'),
          { combinator: 'or', rules: [equals('isPublic', true), { property: 'isPublic', operator: 'isEmpty' }] },
        ]),
      },
    },
    {
      identifier: 'cloudRegion',
      title: 'Region',
      schema: { properties: { endpoint: { type: 'string', format: 'ipv4' } } },
      relations: { account: to('cloudAccount') },
    },
    {
      identifier: 'cloudResource',
      title: 'Resource',
      schema: {
        properties: {
          kind: text,
          isPublic: { type: 'boolean' },
          monthlyCost: number,
          tags: { type: 'object', additionalProperties: { type: 'string' } },
          rules: { type: 'array', items: { type: 'object', properties: { port: { type: 'number' } } } },
          address: { type: 'string', format: 'ipv6' },
          console: { type: 'object', format: 'labeled-url' },
        },
      },
      relations: { region: to('cloudRegion'), dependsOn: to('cloudResource', { many: true }) },
      mirrorProperties: {
        account: { path: 'region.account.$identifier' },
        accountMail: { path: 'region.account.mail' },
        neededKinds: { path: 'dependsOn.kind' },
        neededAccounts: { path: 'dependsOn.region.account.$title' },
      },
      calculationProperties: {
        owner: { type: 'string', calculation: '.properties.tags.owner // .properties.tags.Owner // empty' },
        openPorts: { type: 'array', calculation: '[.properties.rules[]? | select(.port < 1024) | .port] | sort' },
        summary: {
          type: 'object',
          calculation: '{kind: .properties.kind, account: .properties.account, needs: (.relations.dependsOn | length)}',
        },
      },
    },
  ],
  entities: [
    ['cloudAccount', { identifier: '0123', title: 'Production', properties: { mail: 'ops@example.com' } }],
    ['cloudRegion', { identifier: '0123/eu', relations: { account: '0123' } }],
    [
      'cloudResource',
      {
        identifier: 'arn:aws:s3:::data',
        properties: { kind: 'bucket', monthlyCost: 12.5, isPublic: true, tags: { Owner: 'crew' } },
        relations: { region: '0123/eu' },
      },
    ],
    [
      'cloudResource',
      {
        identifier: 'arn:aws:lambda:eu:0123:function/resize',
        properties: {
          kind: 'function',
          monthlyCost: 2,
          rules: [{ port: 443 }, { port: 8080 }, { port: 80 }],
          console: { url: 'https://console.example.com/#/f=[resize]', displayText: 'Console' },
        },
        relations: { region: '0123/eu', dependsOn: ['arn:aws:s3:::data'] },
      },
    ],
    ['cloudResource', { identifier: 'adrift', properties: { kind: 'bucket', monthlyCost: 100 } }],
  ],
  expected: {
    'cloudAccount/0123': { monthlyCost: 14.5, publicBuckets: 1 },
    'cloudResource/arn:aws:s3:::data': {
      account: '0123',
      accountMail: 'ops@example.com',
      neededKinds: [],
      owner: 'crew',
      openPorts: [],
      summary: { kind: 'bucket', account: '0123', needs: 0 },
    },
    'cloudResource/arn:aws:lambda:eu:0123:function/resize': {
      neededKinds: ['bucket'],
      neededAccounts: ['Production'],
      owner: null,
      openPorts: [80, 443],
      summary: { kind: 'function', account: '0123', needs: 1 },
    },
    'cloudResource/adrift': { account: null, neededAccounts: [], summary: { kind: 'bucket', account: null, needs: 0 } },
  },
};
