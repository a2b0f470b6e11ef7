import type { DemoTeam, DemoUser, SystemBlueprintExtension } from './types.ts';

const mail = (name: string) => `${name}@halyardfreight.example`;

/** Addresses that other files refer to. */
export const people = {
  marta: mail('marta.lindqvist'),
  tomas: mail('tomas.ferreira'),
  priya: mail('priya.raman'),
  freya: mail('freya.jensen'),
  aisha: mail('aisha.bello'),
  henrik: mail('henrik.solberg'),
  meiLin: mail('mei-lin.zhou'),
  daniel: mail('daniel.okafor'),
  clara: mail('clara.novak'),
  samuel: mail('samuel.ortiz'),
  yuki: mail('yuki.tanaka'),
  leo: mail('leo.marchetti'),
  robert: mail('robert.hale'),
  // Service accounts live under one fixed domain, whatever the organization is called.
  releaseBot: 'release-bot@serviceaccounts.getport.io',
} as const;

export const teams: DemoTeam[] = [
  team('engineering', 'Engineering', 'Everyone who builds and runs Halyard software.', null),
  team('routing-planning', 'Routing & Planning', 'Plans trips and predicts arrival times for road and rail.'),
  team('customs-compliance', 'Customs & Compliance', 'Declarations, tariffs and sanctions screening for 31 countries.'),
  team(
    'tracking-visibility',
    'Tracking & Visibility',
    'Knows where every container and trailer is, and tells customers.',
  ),
  team('billing-rates', 'Billing & Rates', 'Freight rates, surcharges and invoices.'),
  team('developer-platform', 'Developer Platform', 'Sign-in, build pipelines and this portal.'),
  team('site-reliability', 'Site Reliability', 'Clusters, messaging and the on-call process.'),
  team('partner-integrations', 'Partner Integrations', 'The customer portal and connections to carriers and shippers.'),
];

export const users: DemoUser[] = [
  person(people.marta, 'Marta Lindqvist', ['engineering'], { role: 'Admin', manager: null }),
  person(people.tomas, 'Tomás Ferreira', ['developer-platform', 'site-reliability'], { role: 'Admin' }),
  person(people.priya, 'Priya Raman', ['routing-planning']),
  person(people.freya, 'Freya Jensen', ['routing-planning'], { status: 'Invited', manager: people.priya }),
  person(people.aisha, 'Aisha Bello', ['customs-compliance']),
  person(people.henrik, 'Henrik Solberg', ['customs-compliance', 'partner-integrations'], { manager: people.aisha }),
  person(people.meiLin, 'Mei-Lin Zhou', ['tracking-visibility']),
  person(people.daniel, 'Daniel Okafor', ['tracking-visibility'], { manager: people.meiLin }),
  person(people.clara, 'Clara Novak', ['billing-rates'], { costCentre: 'finance' }),
  person(people.samuel, 'Samuel Ortiz', ['site-reliability'], { manager: people.tomas, costCentre: 'operations' }),
  person(people.yuki, 'Yuki Tanaka', ['developer-platform'], { manager: people.tomas }),
  person(people.leo, 'Leo Marchetti', ['partner-integrations'], { status: 'Staged', manager: people.henrik }),
  person(people.robert, 'Robert Hale', [], { status: 'Disabled', manager: people.clara, costCentre: 'finance' }),
  person(people.releaseBot, 'Release Bot', ['developer-platform'], {
    type: 'Service Account',
    manager: null,
    costCentre: null,
  }),
];

/** What the organization adds to the platform's own people and team blueprints. */
export const systemBlueprints: SystemBlueprintExtension[] = [
  {
    identifier: '_user',
    schema: {
      properties: {
        costCentre: {
          type: 'string',
          title: 'Cost centre',
          enum: ['engineering', 'operations', 'finance'],
          enumColors: { engineering: 'blue', operations: 'orange', finance: 'green' },
        },
      },
    },
    relations: { manager: { title: 'Manager', target: '_user', required: false, many: false } },
    mirrorProperties: { managerName: { title: 'Manager name', path: 'manager.$title' } },
    calculationProperties: {},
    aggregationProperties: {},
  },
  {
    identifier: '_team',
    schema: { properties: {} },
    relations: { parent: { title: 'Parent team', target: '_team', required: false, many: false } },
    mirrorProperties: {},
    calculationProperties: {},
    aggregationProperties: {
      ownedServices: {
        title: 'Owned services',
        description: 'Services whose owning teams include this one.',
        type: 'number',
        target: 'service',
        calculationSpec: { calculationBy: 'entities', func: 'count' },
        pathFilter: [{ path: ['$team'], fromBlueprint: 'service' }],
      },
    },
  },
];

function team(identifier: string, title: string, description: string, parent: string | null = 'engineering'): DemoTeam {
  return { identifier, title, description, relations: { parent } };
}

type PersonChoices = Partial<Pick<DemoUser, 'role' | 'status' | 'type'>> & {
  manager?: string | null;
  costCentre?: string | null;
};

function person(identifier: string, title: string, memberOf: string[], choices: PersonChoices = {}): DemoUser {
  const { role = 'Member', status = 'Active', type = 'Standard' } = choices;
  const { manager = people.marta, costCentre = 'engineering' } = choices;
  return { identifier, title, status, role, type, teams: memberOf, properties: { costCentre }, relations: { manager } };
}
