/**
 * Which source may import which. The order of the server's modules is the order of this table: each names the modules
 * it may call, through their `index.ts` only. tools/architecture.test.ts proves that every rule catches its violation.
 */
const order = [
  'journal',
  'rights',
  'organizations',
  'accounts',
  'identity',
  'blueprints',
  'entity-rows',
  'entity-query',
  'scorecard-rules',
  'derived',
  'access',
  'people-sync',
  'scorecard-changes',
  'entities',
  'search',
  'scorecards',
  'campaigns',
  'policies',
  'blueprint-changes',
  'data-migrations',
  'people',
  'sign-in',
  'connected-apps',
  'actions',
  'automations',
  'integrations',
  'workflows',
  'sources',
  'pages',
  'favorites',
  'packs',
  'checklist',
  'demo-organization',
  'backups',
  'backlogs',
  'examination',
];
// Who acts, and what they may do.
const people = ['rights', 'organizations', 'accounts', 'identity'];
const mayCall = {
  ...Object.fromEntries(order.map((name, index) => [name, order.slice(0, index)])),
  // Reaches actions only through tools that they declare, so that rights and approvals stand in between.
  // Foreign servers know nothing of the catalog; their tools reach the assistant as every tool does.
  connectors: ['journal', ...people],
  assistant: ['journal', ...people, 'blueprints', 'access', 'entities', 'search'],
  migrations: [...order, 'assistant'],
};
// Rows of entities, and rules compiled to SQL, know no rights: only the modules that apply rights may use them.
const kits = ['entity-rows', 'entity-query'];
const kitUsers = [...order.slice(order.indexOf('entity-rows'), order.indexOf('people')), 'migrations'];

const server = '^packages/server/src';
const testCode = ['\\.(test|spec)\\.tsx?$', '^packages/[^/]+/test/', '^e2e/'];

const moduleOrder = Object.entries(mayCall).map(([name, allowed]) => ({
  name: `module-order-${name}`,
  comment: `modules/${name} may import ${allowed.join(', ') || 'no other module'}. Subscribe to an event instead, or move the code down.`,
  severity: 'error',
  from: { path: `${server}/modules/${name}/` },
  to: { path: `${server}/modules/`, pathNot: `${server}/modules/(${[name, ...allowed].join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Move what both need into a third file that neither imports back, or hand it in as an argument.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-types',
      comment: 'Move the type that both need into a file of its own, such as x.types.ts or x.deps.ts.',
      severity: 'error',
      // the jq evaluator's filters and its interpreter are defined by each other
      from: { pathNot: '^packages/jq/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'The import names nothing that is there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'known-modules',
      comment: 'Add the module to the table in .dependency-cruiser.mjs, at its place in the order.',
      severity: 'error',
      from: {
        path: `${server}/modules/[^/]+/`,
        pathNot: `${server}/modules/(${Object.keys(mayCall).join('|')})/`,
      },
      to: {},
    },
    ...moduleOrder,
    {
      name: 'module-front-door',
      comment: "Import another module's index.ts; export there what is missing.",
      severity: 'error',
      from: { path: `${server}/modules/([^/]+)/` },
      to: {
        path: `${server}/modules/`,
        pathNot: [`${server}/modules/$1/`, `${server}/modules/[^/]+/(index|maintenance)\\.ts$`],
      },
    },
    {
      name: 'front-door-from-above',
      comment: 'Everything outside the modules enters them by index.ts; export there what is missing.',
      severity: 'error',
      from: { path: `${server}/`, pathNot: `${server}/modules/` },
      to: { path: `${server}/modules/`, pathNot: `${server}/modules/[^/]+/(index|maintenance)\\.ts$` },
    },
    {
      name: 'maintenance-door',
      comment:
        'maintenance.ts reaches past the rights of callers, for the migrations and the demo; use what index.ts exports.',
      severity: 'error',
      from: { path: `${server}/`, pathNot: `${server}/(modules/migrations|demo)/` },
      to: { path: `${server}/modules/[^/]+/maintenance\\.ts$` },
    },
    {
      name: 'entity-kit',
      comment: 'Rows and compiled queries know no rights; use what entities, search or access export.',
      severity: 'error',
      from: { path: `${server}/`, pathNot: `${server}/modules/(${kitUsers.join('|')})/` },
      to: { path: `${server}/modules/(${kits.join('|')})/` },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'Take it as an argument, or move the code into the module.',
      severity: 'error',
      from: { path: `${server}/platform/` },
      to: { path: `${server}/`, pathNot: `${server}/platform/` },
    },
    {
      name: 'modules-below-surfaces',
      comment: 'A module declares routes and tools as data; app.ts hands them to the surfaces.',
      severity: 'error',
      from: { path: `${server}/modules/` },
      to: { path: `${server}/`, pathNot: [`${server}/(modules|platform)/`, `${server}/config\\.ts$`] },
    },
    {
      name: 'main-is-the-top',
      comment: 'main.ts, serve.ts and app.ts compose; nothing in the product imports them back.',
      severity: 'error',
      from: { path: `${server}/`, pathNot: [`${server}/(main|serve|app|backup|move|restored-app)\\.ts$`, ...testCode] },
      to: { path: `${server}/(main|serve|app)\\.ts$` },
    },
    {
      name: 'contract-is-a-leaf',
      comment: 'The contract depends on zod and nothing else, so that every client can take it.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: testCode },
      to: { pathNot: ['^packages/contract/', 'node_modules/zod/'] },
    },
    {
      name: 'jq-is-a-leaf',
      comment: 'jq is published on its own.',
      severity: 'error',
      from: { path: '^packages/jq/' },
      to: { path: '^packages/', pathNot: '^packages/jq/' },
    },
    {
      name: 'jq-runs-in-a-browser',
      comment: 'What needs Node belongs behind the entry "@portolan/jq/node".',
      severity: 'error',
      from: { path: '^packages/jq/src/index\\.ts$' },
      to: {
        path: '^(node:|(assert|buffer|child_process|crypto|fs|os|path|process|stream|url|util|vm|worker_threads)$)',
        reachable: true,
      },
    },
    {
      name: 'team-references-is-pure',
      comment: 'It reads documents and answers findings: jq alone, and no input or output of its own.',
      severity: 'error',
      from: { path: '^packages/team-references/src/', pathNot: testCode },
      to: {
        path: ['^packages/', '^(node:|(child_process|fs|http|https|net|os|path|process)$)'],
        pathNot: '^packages/(team-references|jq)/',
      },
    },
    {
      name: 'backstage-is-pure',
      comment: 'It reads texts that it is given and answers documents; files and servers are ports of its callers.',
      severity: 'error',
      from: { path: '^packages/backstage/src/', pathNot: testCode },
      to: {
        path: ['^packages/', '^(node:|(child_process|fs|http|https|net|os|path|process)$)'],
        pathNot: '^packages/(backstage|contract)/',
      },
    },
    {
      name: 'evaluation-is-pure',
      comment:
        'It runs in browsers and on the command line: the contract alone; requests, patterns and hashes are handed in.',
      severity: 'error',
      from: { path: '^packages/evaluation/src/', pathNot: testCode },
      to: {
        path: ['^packages/', '^(node:|(buffer|child_process|crypto|fs|http|https|net|os|path|process|stream)$)'],
        pathNot: '^packages/(evaluation|contract)/',
      },
    },
    {
      name: 'archives-is-pure',
      comment: 'It runs in browsers, and bytes are handed in.',
      severity: 'error',
      from: { path: '^packages/archives/src/', pathNot: testCode },
      to: {
        path: ['^packages/', '^(node:|(buffer|child_process|fs|http|https|net|os|path|process|stream|zlib)$)'],
        pathNot: '^packages/archives/',
      },
    },
    {
      name: 'tables-is-pure',
      comment: 'It runs in browsers: jq and archives alone, and files and requests are handed in.',
      severity: 'error',
      from: { path: '^packages/tables/src/', pathNot: testCode },
      to: {
        path: ['^packages/', '^(node:|(buffer|child_process|fs|http|https|net|os|path|process|stream)$)'],
        pathNot: '^packages/(tables|jq|archives)/',
      },
    },
    {
      name: 'server-takes-no-client',
      comment: 'The portal and the command line speak to the server over its API.',
      severity: 'error',
      from: { path: '^packages/server/' },
      to: { path: '^packages/(portal|cli)/' },
    },
    {
      name: 'clients-take-the-contract',
      comment: 'Portal and command line import the contract and the pure packages, and no other package of ours.',
      severity: 'error',
      from: { path: '^packages/(portal|cli)/' },
      to: {
        path: '^packages/',
        pathNot: '^packages/($1|contract|evaluation|jq|team-references|tables|backstage|archives)/',
      },
    },
    {
      name: 'portal-kit-knows-no-domain',
      comment: 'What draws things of the domain belongs to parts, or to the screens of its area.',
      severity: 'error',
      from: { path: '^packages/portal/src/kit/', pathNot: testCode },
      to: { path: '^packages/portal/src/(parts|screens)/' },
    },
    {
      name: 'portal-parts-know-no-screen',
      comment: 'What two areas need moves to parts; areas never import each other.',
      severity: 'error',
      from: { path: '^packages/portal/src/(?:api|kit|parts|theme|screens/([^/]+))/' },
      to: { path: '^packages/portal/src/screens/', pathNot: '^packages/portal/src/screens/$1/' },
    },
    {
      name: 'package-front-door',
      comment: 'Import the package by its name: its "exports" say what others may use.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/(contract|evaluation|jq|team-references|tables|backstage|archives)/',
        pathNot: '^packages/$1/',
        dependencyTypesNot: ['undetermined', 'aliased'],
      },
    },
    {
      name: 'no-test-code-in-the-product',
      comment: 'Move what the product needs out of the test.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: testCode },
      to: { path: testCode },
    },
    {
      name: 'no-development-package-in-the-product',
      comment: 'Move the package to "dependencies" of the workspace that uses it.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: testCode },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^packages/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    // Imports of types count too: they are dependencies for whoever reads the code.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['portolan-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
