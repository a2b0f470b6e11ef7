/** One type, property or relation: its key and its title. */
export type Named = readonly [key: string, title: string];

/** The words of a generated organization. Each part has the same role in all of them and another name. */
export interface OrganizationWords {
  readonly name: string;
  readonly seed: number;
  readonly things: number;
  readonly events: number;
  readonly thing: Named;
  readonly place: Named;
  readonly event: Named;
  readonly stage: Named;
  readonly stages: readonly [string, string, string];
  readonly make: Named;
  readonly makes: readonly [string, string, string];
  readonly amount: Named;
  readonly person: Named;
  readonly inPlace: Named;
  /** Two relations between the same types: things to things, and events to things. */
  readonly leads: Named;
  readonly follows: Named;
  readonly touches: Named;
  readonly comesFrom: Named;
  readonly impact: Named;
  readonly impacts: readonly [string, string, string];
  readonly begun: Named;
  readonly ended: Named;
  readonly scorecard: Named;
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly places: readonly string[];
  readonly teams: readonly string[];
}

/** 5,000 entities; one thing, one place and one team share a name, and one thing is called like a word of questions. */
export const bank: OrganizationWords = {
  name: 'bank',
  seed: 11,
  things: 800,
  events: 4200,
  thing: ['application', 'Application'],
  place: ['businessLine', 'Business Line'],
  event: ['outage', 'Outage'],
  stage: ['status', 'Status'],
  stages: ['live', 'pilot', 'retired'],
  make: ['stack', 'Stack'],
  makes: ['COBOL', 'Java', 'Node'],
  amount: ['annualCost', 'Annual cost'],
  person: ['productOwner', 'Product owner'],
  inPlace: ['line', 'Business line'],
  leads: ['calls', 'Calls'],
  follows: ['replaces', 'Replaces'],
  touches: ['affects', 'Affects'],
  comesFrom: ['causedBy', 'Caused by'],
  impact: ['impact', 'Impact'],
  impacts: ['minor', 'major', 'total'],
  begun: ['startedAt', 'Started'],
  ended: ['closedAt', 'Closed'],
  scorecard: ['care', 'Customer Care'],
  firstNames: ['Amber', 'Cedar', 'Copper', 'Dune', 'Ember', 'Flint', 'Grove', 'Harbor', 'Indigo', 'Juniper'],
  lastNames: ['Accounts', 'Cards', 'Clearing', 'Loans', 'Treasury', 'Vault', 'Wires', 'Statements'],
  places: ['Retail', 'Corporate', 'Markets', 'Ledger'],
  teams: ['Ledger', 'Core Banking', 'Channels', 'Risk'],
};

export const plant: OrganizationWords = {
  name: 'plant',
  seed: 23,
  things: 40,
  events: 90,
  thing: ['maschine', 'Maschine'],
  place: ['halle', 'Halle'],
  event: ['stoerung', 'Störung'],
  stage: ['zustand', 'Zustand'],
  stages: ['läuft', 'gestoppt', 'ausgemustert'],
  make: ['hersteller', 'Hersteller'],
  makes: ['Siemens', 'Bosch', 'Festo'],
  amount: ['leistung', 'Leistung'],
  person: ['bereitschaft', 'Bereitschaft'],
  inPlace: ['halle', 'Halle'],
  leads: ['speist', 'Speist'],
  follows: ['ersetzt', 'Ersetzt'],
  touches: ['betrifft', 'Betrifft'],
  comesFrom: ['ausgeloestVon', 'Ausgelöst von'],
  impact: ['schwere', 'Schwere'],
  impacts: ['leicht', 'mittel', 'schwer'],
  begun: ['begonnenAm', 'Begonnen'],
  ended: ['behobenAm', 'Behoben'],
  scorecard: ['wartung', 'Wartung'],
  firstNames: ['Große', 'Kleine', 'Alte', 'Neue', 'Blaue', 'Östliche'],
  lastNames: ['Presse', 'Fräse', 'Säge', 'Drehbank', 'Lackieranlage', 'Waage', 'Förderstrecke'],
  places: ['Halle Nord', 'Halle Süd', 'Gießerei'],
  teams: ['Instandhaltung', 'Frühschicht', 'Spätschicht', 'Werkzeugbau'],
};

export const studio: OrganizationWords = {
  name: 'studio',
  seed: 37,
  things: 30,
  events: 120,
  thing: ['game', 'Game'],
  place: ['franchise', 'Franchise'],
  event: ['bugReport', 'Bug Report'],
  stage: ['phase', 'Phase'],
  stages: ['concept', 'development', 'shipped'],
  make: ['engine', 'Engine'],
  makes: ['Unreal', 'Unity', 'Godot'],
  amount: ['budget', 'Budget'],
  person: ['producer', 'Producer'],
  inPlace: ['franchise', 'Franchise'],
  leads: ['inspiredBy', 'Inspired by'],
  follows: ['sequelOf', 'Sequel of'],
  touches: ['foundIn', 'Found in'],
  comesFrom: ['fixedIn', 'Fixed in'],
  impact: ['priority', 'Priority'],
  impacts: ['low', 'medium', 'high'],
  begun: ['reportedAt', 'Reported'],
  ended: ['closedAt', 'Closed'],
  scorecard: ['polish', 'Polish'],
  firstNames: ['Silent', 'Crimson', 'Broken', 'Endless', 'Hollow', 'Winter'],
  lastNames: ['Empire', 'Harvest', 'Labyrinth', 'Voyage', 'Citadel'],
  places: ['Aurora', 'Nightfall', 'Pioneers'],
  teams: ['Gameplay', 'Art', 'Audio', 'Live Operations'],
};
