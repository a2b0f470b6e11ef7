import {
  day,
  type Facts,
  first,
  isEmpty,
  largest,
  lastDays,
  pointsAt,
  reach,
  readFacts,
  targets,
  time,
  within,
} from './facts.ts';
import { computeLevel, type GeneratedOrganization } from './generate-organization.ts';
import {
  ask,
  type Fact,
  type Gold,
  groups,
  number,
  type Question,
  type QuestionClass,
  refuse,
  says,
  set,
} from './question.ts';

/** How one organization's people say what all of them ask. */
interface Phrases {
  readonly things: string;
  readonly events: string;
  readonly places: string;
  readonly leads: (name: string) => string;
  readonly ledBy: (name: string) => string;
  readonly closure: (name: string) => string;
  readonly touches: (name: string) => string;
  readonly comesFrom: (name: string) => string;
}

const phrasesOf: Readonly<Record<string, Phrases>> = {
  bank: {
    things: 'applications',
    events: 'outages',
    places: 'business line',
    leads: (name) => `Which applications does ${name} call?`,
    ledBy: (name) => `Which applications call ${name}?`,
    closure: (name) => `applications that call ${name} directly or indirectly`,
    touches: (name) => `Which outages affect ${name}?`,
    comesFrom: (name) => `outages caused by ${name}`,
  },
  plant: {
    things: 'Maschinen',
    events: 'Störungen',
    places: 'Halle',
    leads: (name) => `What does ${name} speist?`,
    ledBy: (name) => `Maschinen with Speist ${name}`,
    closure: (name) => `Everything that ${name} speist`,
    touches: (name) => `Which Störungen betrifft ${name}?`,
    comesFrom: (name) => `Störungen ausgelöst von ${name}`,
  },
  studio: {
    things: 'games',
    events: 'bug reports',
    places: 'franchise',
    leads: (name) => `What is ${name} inspired by?`,
    ledBy: (name) => `Which games are inspired by ${name}?`,
    closure: (name) => `all games inspired by ${name}, directly or indirectly`,
    touches: (name) => `bug reports found in ${name}`,
    comesFrom: (name) => `Which bug reports were fixed in ${name}?`,
  },
};

export function generatedFacts({ facts }: GeneratedOrganization, now: Date): Facts {
  return readFacts(facts, now);
}

/** Forty questions in the words of an organization. */
export function generatedQuestions({ words, shared }: GeneratedOrganization, facts: Facts): Question[] {
  const { of, one, now } = facts;
  const say = phrasesOf[words.name] as Phrases;
  const [things, events, places] = [of(words.thing[0]), of(words.event[0]), of(words.place[0])];
  const { things: many, events: happened } = say;
  const [stage, make, amount, who] = [words.stage, words.make, words.amount, words.person];
  const is = (some: readonly Fact[], [key]: readonly [string, string], value: string) =>
    some.filter((each) => each.properties[key] === value);
  const to = (some: readonly Fact[], [key]: readonly [string, string], target: Fact) =>
    some.filter((each) => pointsAt(each, key, target));
  const [team] = of('_team').slice(1) as [Fact];
  const owned = things.filter((each) => each.team.length > 0 && each.title !== 'Most' && each.title !== shared);
  const mostLed = [...owned].sort(
    (a, b) => to(things, words.leads, b).length - to(things, words.leads, a).length,
  )[0] as Fact;
  const leading = owned.find((each) => targets(each, words.leads[0]).length > 1) as Fact;
  const busy = owned.find(
    (each) => to(events, words.touches, each).length > 1 && to(events, words.comesFrom, each).length > 0,
  ) as Fact;
  const answered = owned.find((each) => !isEmpty(each.properties[who[0]])) as Fact;
  const [place] = places as [Fact];
  const event = events[7] as Fact;
  const [stage1, stage2] = words.stages;
  const [make1] = words.makes;
  const [, impact2] = words.impacts;
  const ownerOf = (each: Fact): Gold => says(...each.team.map((key) => one('_team', key).title));
  const dearest = 1000 + 7 * things.length - 70;

  const asked: [QuestionClass, string, Gold][] = [
    ['list', `Which ${many} are ${stage1}?`, set(is(things, stage, stage1))],
    ['list', `${stage2} ${many} with ${make[1]} ${make1}`, set(is(is(things, stage, stage2), make, make1))],
    ['list', `${many} without an owner`, set(things.filter((each) => each.team.length === 0))],
    [
      'list',
      `${many} with ${amount[1]} above ${dearest}`,
      set(things.filter((each) => Number(each.properties[amount[0]]) > dearest)),
    ],
    ['list', `Show ${many} that are not ${stage1}`, set(things.filter((each) => each.properties[stage[0]] !== stage1))],
    ['list', `Which ${many} have no ${who[1]}?`, set(things.filter((each) => isEmpty(each.properties[who[0]])))],
    [
      'top and group',
      `Which ${say.places} has the most ${many}?`,
      set(largest(places, (each) => to(things, words.inPlace, each).length)),
    ],
    [
      'top and group',
      `top 3 ${many} by ${amount[1]}`,
      set(first(things, 3, (each) => Number(each.properties[amount[0]]))),
    ],
    ['top and group', `How many ${many} per ${make[1]}?`, groups(things, (each) => each.properties[make[0]])],
    [
      'top and group',
      `Which team owns the fewest ${many}?`,
      set(largest(of('_team'), (each) => things.filter((thing) => thing.team.includes(each.identifier)).length, -1)),
    ],
    [
      'relation',
      say.leads(leading.title),
      set(things.filter((each) => targets(leading, words.leads[0]).includes(each.identifier))),
    ],
    ['relation', say.ledBy(mostLed.title), set(to(things, words.leads, mostLed))],
    [
      'relation',
      say.closure(mostLed.title),
      set(reach(things, mostLed, words.leads[0], words.name === 'plant' ? 'forth' : 'back')),
    ],
    ['relation', say.touches(busy.title), set(to(events, words.touches, busy))],
    ['relation', say.comesFrom(busy.title), set(to(events, words.comesFrom, busy))],
    ['count', `How many ${many} are there?`, number(things.length)],
    [
      'count',
      `How many ${stage1} ${many} are in ${place.title}?`,
      number(to(is(things, stage, stage1), words.inPlace, place).length),
    ],
    [
      'count',
      `number of ${happened} with ${words.impact[1]} ${impact2}`,
      number(is(events, words.impact, impact2).length),
    ],
    ['owner', `Who owns ${owned[3]?.title}?`, ownerOf(owned[3] as Fact)],
    [
      'owner',
      `Which ${many} does the ${team.title} team own?`,
      set(things.filter((each) => each.team.includes(team.identifier))),
    ],
    ['owner', `which team owns ${owned[5]?.identifier}`, ownerOf(owned[5] as Fact)],
    [
      'time window',
      `${happened} ${words.begun[1]} last month`,
      set(within(events, words.begun[0], '2026-02-01', '2026-03-01')),
    ],
    [
      'time window',
      `How many ${happened} were ${words.begun[1]} in the last 30 days?`,
      number(lastDays(events, words.begun[0], 30, now).length),
    ],
    [
      'time window',
      `${happened} ${words.begun[1]} since 2026-02-25`,
      set(within(events, words.begun[0], '2026-02-25', '2100-01-01')),
    ],
    ['latest and when', `When was ${event.identifier} ${words.begun[1]}?`, says(day(event, words.begun[0]))],
    [
      'latest and when',
      `${happened} with the latest ${words.begun[1]}`,
      set(largest(events, (each) => time(each, words.begun[0]))),
    ],
    ['people', `Who is the ${who[1]} of ${answered.title}?`, says(String(answered.properties[who[0]]))],
    [
      'people',
      `Who is in the ${team.title} team?`,
      set(of('_user').filter((each) => each.team.includes(team.identifier))),
    ],
    ['describe', `What is the ${amount[1]} of ${owned[8]?.title}?`, says(String(owned[8]?.properties[amount[0]]))],
    ['describe', `What ${stage[1]} does ${owned[9]?.title} have?`, says(String(owned[9]?.properties[stage[0]]))],
    [
      'scorecard',
      `${many} at Gold on ${words.scorecard[1]}`,
      set(things.filter((each) => computeLevel(each, words) === 'Gold')),
    ],
    [
      'scorecard',
      `How many ${many} are below Silver on ${words.scorecard[1]}?`,
      number(things.filter((each) => ['Basic', 'Bronze'].includes(computeLevel(each, words))).length),
    ],
    ['must ask', `Which of the ${many} has the most ${happened}?`, ask],
    ['must ask', `${happened} of ${busy.title}`, ask],
    ['must ask', shared ? `Who owns ${shared}?` : `Who owns ${busy.title}x?`, ask],
    ['must refuse', 'Who owns the Kraken Gateway?', refuse],
    ['must refuse', `wobbly ${many}`, refuse],
    ['must refuse', `Which ${many} are the best?`, refuse],
    ['must refuse', 'Who will win the election?', refuse],
    ['must refuse', `Restart ${busy.title}`, refuse],
  ];
  return asked.map(([kind, text, gold]) => ({ of: kind, text, gold }));
}
