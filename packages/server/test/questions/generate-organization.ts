import type { OrganizationWords } from './organization-words.ts';
import type { Fact } from './question.ts';
import { createRandom, type Random } from './seeded-random.ts';

type Body = Readonly<Record<string, unknown>>;

export interface GeneratedOrganization {
  readonly words: OrganizationWords;
  /** In the order in which they are created. */
  readonly blueprints: readonly Body[];
  readonly facts: readonly Fact[];
  readonly scorecard: Body;
  /** The thing that shares its name with a place and a team; undefined if no name is shared. */
  readonly shared: string | undefined;
}

const dayMs = 86_400_000;

/** The same words always give the same organization. */
export function generateOrganization(words: OrganizationWords, now: Date): GeneratedOrganization {
  const random = createRandom(words.seed);
  const shared = words.places.find((place) => words.teams.includes(place));
  const teams = words.teams.map((title) => fact('_team', slug(title), title));
  const people = Array.from({ length: 12 }, (_, index) => person(index, teams, random));
  const places = words.places.map((title) => fact(words.place[0], `p-${slug(title)}`, title));
  const things = makeThings(words, random, { teams, people, places, shared });
  const events = makeEvents(words, random, things, now);
  return {
    words,
    blueprints: blueprintBodies(words),
    facts: [...teams, ...people, ...places, ...things, ...events],
    scorecard: scorecardBody(words),
    shared,
  };
}

function fact(blueprint: string, identifier: string, title: string, more: Partial<Fact> = {}): Fact {
  return { blueprint, identifier, title, team: [], properties: {}, relations: {}, ...more };
}

function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

const givenNames = ['Ada', 'Bela', 'Cleo', 'Dario', 'Edda', 'Falk', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kira', 'Lenn'];
const familyNames = ['Abara', 'Brandt', 'Castell', 'Dvorak', 'Eklund', 'Fabre'];

function person(index: number, teams: readonly Fact[], random: Random): Fact {
  const [given, family] = [givenNames[index] ?? '', familyNames[index % familyNames.length] ?? ''];
  const email = `${given}.${family}@example.test`.toLowerCase();
  const properties = { status: 'Active', port_role: 'Member', port_type: 'Standard' };
  return fact('_user', email, `${given} ${family}`, { team: [random.pick(teams).identifier], properties });
}

interface Others {
  readonly teams: readonly Fact[];
  readonly people: readonly Fact[];
  readonly places: readonly Fact[];
  readonly shared: string | undefined;
}

function makeThings(words: OrganizationWords, random: Random, { teams, people, places, shared }: Others): Fact[] {
  const names = new Set<string>(['Most', ...(shared ? [shared] : [])]);
  for (let index = 0; names.size < words.things; index += 1) {
    const [given, family] = [random.pick(words.firstNames), random.pick(words.lastNames)];
    names.add(names.has(`${given} ${family}`) ? `${given} ${family} ${index}` : `${given} ${family}`);
  }
  const titles = [...names];
  const identifier = (index: number): string => `t-${slug(titles[index] ?? '')}`;
  return titles.map((title, index) => {
    // later things point at earlier ones, so that they exist when they are named
    const earlier = (): string[] => (index > 2 ? [identifier(random.below(index))] : []);
    return fact(words.thing[0], identifier(index), title, {
      team: random.chance(0.12) ? [] : [random.pick(teams).identifier],
      properties: {
        [words.stage[0]]: random.pick(words.stages),
        [words.make[0]]: random.pick(words.makes),
        [words.amount[0]]: 1000 + 7 * index + random.below(7),
        [words.person[0]]: random.chance(0.2) ? null : random.pick(people).identifier,
      },
      relations: {
        [words.inPlace[0]]: random.chance(0.1) ? null : random.pick(places).identifier,
        [words.leads[0]]: [...new Set([...earlier(), ...(random.chance(0.5) ? earlier() : [])])],
        [words.follows[0]]: random.chance(0.3) ? (earlier()[0] ?? null) : null,
      },
    });
  });
}

function makeEvents(words: OrganizationWords, random: Random, things: readonly Fact[], now: Date): Fact[] {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  return Array.from({ length: words.events }, (_, index) => {
    const day = 1 + Math.floor(random.below(300) * (random.chance(0.3) ? 0.1 : 1));
    const minute = 600 + random.below(800);
    const begun = new Date(midnight - day * dayMs + minute * 60_000 + index).toISOString();
    const ended = random.chance(0.3) ? null : new Date(Date.parse(begun) + random.below(7_200_000)).toISOString();
    return fact(words.event[0], `E-${1000 + index}`, `${words.event[1]} number ${1000 + index}`, {
      properties: { [words.impact[0]]: random.pick(words.impacts), [words.begun[0]]: begun, [words.ended[0]]: ended },
      relations: {
        [words.touches[0]]: random.pick(things).identifier,
        [words.comesFrom[0]]: random.chance(0.6) ? random.pick(things).identifier : null,
      },
    });
  });
}

function blueprintBodies(words: OrganizationWords): Body[] {
  const text = ([key, title]: readonly [string, string], more: object = {}) => [
    key,
    { type: 'string', title, ...more },
  ];
  const relation = ([key, title]: readonly [string, string], target: string, many = false) => [
    key,
    { title, target, required: false, many },
  ];
  const blueprint = (
    [identifier, title]: readonly [string, string],
    properties: unknown[][],
    relations: unknown[][],
  ) => ({
    identifier,
    title,
    schema: { properties: Object.fromEntries(properties), required: [] },
    relations: Object.fromEntries(relations),
    ownership: { type: 'Direct' },
  });
  const [thing, place] = [words.thing[0], words.place[0]];
  return [
    blueprint(words.place, [], []),
    blueprint(
      words.thing,
      [
        text(words.stage, { enum: words.stages }),
        text(words.make, { enum: words.makes }),
        [words.amount[0], { type: 'number', title: words.amount[1] }],
        text(words.person, { format: 'user' }),
      ],
      [relation(words.inPlace, place), relation(words.leads, thing, true), relation(words.follows, thing)],
    ),
    blueprint(
      words.event,
      [
        text(words.impact, { enum: words.impacts }),
        text(words.begun, { format: 'date-time' }),
        text(words.ended, { format: 'date-time' }),
      ],
      [relation(words.touches, thing), relation(words.comesFrom, thing)],
    ),
  ];
}

function scorecardBody({ scorecard, person: [person], place: _, inPlace: [line] }: OrganizationWords): Body {
  const rule = (identifier: string, title: string, level: string, condition: object) => ({
    identifier,
    title,
    level,
    query: { combinator: 'and', conditions: [condition] },
  });
  return {
    identifier: scorecard[0],
    title: scorecard[1],
    rules: [
      rule('owned', 'Has an owning team', 'Bronze', { property: '$team', operator: 'isNotEmpty' }),
      rule('placed', 'Belongs somewhere', 'Silver', { relation: line, operator: 'isNotEmpty' }),
      rule('person', 'Somebody answers', 'Gold', { property: person, operator: 'isNotEmpty' }),
    ],
  };
}

/** The level of a thing on the organization's scorecard, worked out from its values. */
export function computeLevel(
  { team, properties, relations }: Fact,
  { person: [person], inPlace: [line] }: OrganizationWords,
) {
  if (team.length === 0) return 'Basic';
  if (!relations[line]) return 'Bronze';
  return properties[person] ? 'Gold' : 'Silver';
}
