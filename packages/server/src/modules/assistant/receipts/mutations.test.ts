import { describe, expect, test } from 'vitest';
import { recordsUnder } from '../../../platform/tools/tool-records.ts';
import { makeReceipts } from './make-receipts.ts';
import { createRecordNumbers, type ReadRecord } from './number-records.ts';

/** True sentences about records, each changed in the ways in which models err. */
const languages = ['Go', 'Rust', 'Java', 'Python', 'Kotlin'];
const tiers = ['Gold', 'Silver', 'Bronze'];
const words = ['Map', 'Rate', 'Cart', 'Dock', 'Fleet', 'Label', 'Route', 'Parcel', 'Yard', 'Toll'];
const nouns = ['Tiles', 'Engine', 'Ledger', 'Scheduler'];
const teams = ['Harbor', 'Lanes', 'Compass'];

interface Service {
  readonly identifier: string;
  readonly title: string;
  readonly language: string;
  readonly tier: string;
  readonly replicas: number;
  readonly releasedAt: string;
  readonly team: string[];
  readonly dependsOn: string[];
}

const services: Service[] = words.flatMap((word, at) =>
  nouns.map((noun, by): Service => {
    const number = at * nouns.length + by;
    const next = words[(at + 1) % words.length] as string;
    return {
      identifier: `${word}-${noun}`.toLowerCase(),
      title: `${word} ${noun}`,
      language: languages[(number * 3) % languages.length] as string,
      tier: tiers[number % tiers.length] as string,
      replicas: 21 + number * 3,
      releasedAt: `2026-0${1 + (number % 9)}-${10 + (number % 18)}T10:30:00.000Z`,
      team: number % 4 === 3 ? [] : [teams[number % teams.length] as string],
      dependsOn: at + 1 < words.length ? [`${next}-${noun}`.toLowerCase()] : [],
    };
  }),
);

function read(): { records: readonly ReadRecord[]; refOf: (service: Service) => string } {
  const readAt = new Date('2026-11-26T10:00:00Z');
  const numbers = createRecordNumbers({ recordsOf: () => recordsUnder({ entities: 'entity' }), now: () => readAt });
  const entities = services.map(({ identifier, title, team, dependsOn, ...properties }) => ({
    identifier,
    title,
    blueprint: 'service',
    team,
    properties,
    relations: { dependsOn },
  }));
  const text = JSON.stringify({ total: entities.length, entities });
  numbers.show({ tool: 'search_entities', call: 'call_0', asked: { blueprint: 'service' }, text });
  return { records: numbers.records, refOf: (service) => `r${services.indexOf(service) + 1}` };
}

type Kind = 'true' | 'value' | 'number' | 'negation' | 'relation' | 'date' | 'record';
interface Sentence {
  readonly kind: Kind;
  readonly text: string;
  readonly of: Service;
}

function sentences(): Sentence[] {
  return services.flatMap((each, at): Sentence[] => {
    const other = services[(at + 7) % services.length] as Service;
    const say = (kind: Kind, text: string): Sentence => ({ kind, text, of: each });
    const language = languages[(languages.indexOf(each.language) + 1) % languages.length];
    const day = each.releasedAt.slice(0, 10);
    const [dependency] = each.dependsOn.map((id) => services.find(({ identifier }) => identifier === id)?.title);
    const [team] = each.team;
    return [
      say('true', `${each.title} is written in ${each.language}.`),
      say('value', `${each.title} is written in ${language}.`),
      say('record', `${other.title} runs ${each.replicas} replicas.`),
      say('true', `${each.title} (\`${each.identifier}\`) runs ${each.replicas} replicas.`),
      say('number', `${each.title} runs ${each.replicas + 1} replicas.`),
      say('number', `${each.title} (\`${each.identifier}\`) runs ${each.replicas - 1} replicas.`),
      say('true', `The tier of ${each.title} is ${each.tier}.`),
      say('value', `The tier of ${each.title} is ${tiers[(at + 1) % tiers.length]}.`),
      say('true', `**${each.title}** was released on ${day}.`),
      say('date', `**${each.title}** was released on ${day.slice(0, 8)}09.`),
      say('negation', `${each.title} is not written in ${each.language}.`),
      ...(dependency
        ? [
            say('true', `${each.title} depends on ${dependency}.`),
            say('relation', `${dependency} depends on ${each.title}.`),
            say('negation', `${each.title} does not depend on ${dependency}.`),
          ]
        : []),
      ...(team
        ? [
            say('true', `${each.title} is owned by ${team}.`),
            say('value', `${each.title} is owned by Kraken.`),
            say('negation', `${each.title} has no owner.`),
          ]
        : [say('true', `${each.title} has no owner.`), say('negation', `${each.title} has an owner.`)]),
    ];
  });
}

interface Checked extends Sentence {
  readonly status: string;
  readonly refs: readonly string[];
}

async function check(isMarked: boolean): Promise<Checked[]> {
  const { records, refOf } = read();
  const all = sentences();
  const text = all.map((each) => each.text).join('\n\n');
  let end = 0;
  const marks = all.map((each) => {
    end += each.text.length + 2;
    return { ref: refOf(each.of), at: end - 2 };
  });
  const receipts = await makeReceipts(text, isMarked ? marks : [], records);
  return all.map((each, at) => ({
    ...each,
    status: receipts.units[at]?.status ?? '',
    refs: receipts.units[at]?.refs ?? [],
  }));
}

const isFlagged = ({ status }: Checked): boolean => status === 'partly' || status === 'unsupported';

describe.each([
  ['that the model marked', true],
  ['without marks', false],
])('sentences %s', (_, isMarked) => {
  test('are flagged at least 95 times in a hundred if they were changed, and at most twice if not', async () => {
    const all = await check(isMarked);
    const changed = all.filter(({ kind }) => kind !== 'true');
    const unaltered = all.filter(({ kind }) => kind === 'true');
    const unflagged = changed.filter((each) => !isFlagged(each));
    const alarms = unaltered.filter(isFlagged);
    if (process.env['PORTOLAN_TEST_REPORT'] !== undefined) {
      const kinds = [...new Set(changed.map(({ kind }) => kind))].map(
        (kind) =>
          `${kind} ${unflagged.filter((each) => each.kind === kind).length}/${changed.filter((each) => each.kind === kind).length}`,
      );
      process.stdout.write(
        `changed ${changed.length}, unflagged ${unflagged.length} (${kinds.join(', ')}); true ${unaltered.length}, alarms ${alarms.length}\n`,
      );
      for (const each of [...unflagged.slice(0, 8), ...alarms.slice(0, 8)])
        process.stdout.write(`${each.kind} ${each.status} ${each.refs} ${each.text}\n`);
    }
    expect(all.length).toBeGreaterThanOrEqual(600);
    expect(unflagged.length / changed.length).toBeLessThanOrEqual(0.05);
    expect(alarms.length / unaltered.length).toBeLessThanOrEqual(0.02);
  });

  test('rest on the record that they are about, at least 98 times in a hundred', async () => {
    const { refOf } = read();
    const shown = (await check(isMarked)).filter(({ kind, refs }) => kind === 'true' && refs.length > 0);
    const right = shown.filter(({ refs, of }) => refs.includes(refOf(of)));
    if (process.env['PORTOLAN_TEST_REPORT'] !== undefined)
      process.stdout.write(`records shown ${shown.length}, of which right ${right.length}\n`);
    expect(shown.length).toBeGreaterThan(200);
    expect(right.length / shown.length).toBeGreaterThanOrEqual(0.98);
  });
});
