import { receiptsBytesMax } from '@portolan/contract/receipts';
import { describe, expect, test } from 'vitest';
import { recordsUnder } from '../../../platform/tools/tool-records.ts';
import { makeReceipts } from './make-receipts.ts';
import { createRecordNumbers, type ReadRecord } from './number-records.ts';

const languages = ['Go', 'Rust', 'Java', 'Python', 'Kotlin'];

/** Services whose titles begin alike, with values that many share. */
function readServices(count: number): readonly ReadRecord[] {
  const numbers = createRecordNumbers({
    recordsOf: () => recordsUnder({ entities: 'entity' }),
    now: () => new Date('2026-11-26T10:00:00Z'),
  });
  const entities = Array.from({ length: count }, (_, at) => ({
    identifier: `service-${at}`,
    title: `Service Number ${at}`,
    blueprint: 'service',
    team: [`team-${at % 20}`],
    properties: {
      language: languages[at % languages.length],
      replicas: at + 21,
      tier: at % 3 === 0 ? 'Gold' : 'Silver',
      url: `https://service-${at}.example.com/`,
      releasedAt: '2026-03-04T10:30:00.000Z',
    },
    relations: { dependsOn: [`service-${(at + 1) % count}`] },
  }));
  const text = JSON.stringify({ total: count, entities });
  numbers.show({ tool: 'search_entities', call: 'call_0', asked: { blueprint: 'service' }, text });
  return numbers.records;
}

function sayAbout(count: number, of: number): string {
  const kinds = [
    (at: number) => `Service Number ${at} is written in ${languages[at % languages.length]}.`,
    (at: number) => `It is a Gold service in Java that runs ${at + 21} replicas.`,
    (at: number) => `\`service-${at}\` depends on Service Number ${(at + 1) % of} and belongs to team-${at % 20}.`,
    () => 'It is written in Go, and its tier is Silver.',
  ];
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]?.((at * 7) % of)).join('\n\n');
}

/** Runs it beside a loop that counts its own turns. */
async function beside<Value>(work: () => Promise<Value>) {
  let turns = 0;
  let longestMs = 0;
  let isOver = false;
  let last = process.cpuUsage();
  const loop = (): void => {
    const used = process.cpuUsage(last);
    last = process.cpuUsage();
    longestMs = Math.max(longestMs, (used.user + used.system) / 1_000);
    turns += 1;
    if (!isOver) setImmediate(loop);
  };
  setImmediate(loop);
  const before = process.cpuUsage();
  const value = await work();
  const used = process.cpuUsage(before);
  isOver = true;
  return { value, turns, longestMs, cpuMs: (used.user + used.system) / 1_000 };
}

function report(line: string): void {
  if (process.env['PORTOLAN_TEST_REPORT'] !== undefined) process.stdout.write(`${line}\n`);
}

describe('the work', () => {
  test('of 200 sentences and 500 records is done whole', async () => {
    const records = readServices(500);
    const text = sayAbout(200, 500);
    for (let round = 0; round < 5; round += 1) await makeReceipts(text, [], records);
    const rounds = [];
    for (let round = 0; round < 9; round += 1) rounds.push((await beside(() => makeReceipts(text, [], records))).cpuMs);
    report(`200 sentences, 500 records: ${rounds.sort((a, b) => a - b)[4]?.toFixed(1)} ms CPU`);
    const receipts = await makeReceipts(text, [], records);
    expect(receipts.units).toHaveLength(200);
    expect(receipts.truncated).toBeUndefined();
    expect(receipts.units.filter(({ status }) => status === 'linked').length).toBeGreaterThan(80);
  });

  test('of 2,000 sentences and 2,000 records ends early, says so, and lets others have their turn', async () => {
    const records = readServices(2_000);
    const text = sayAbout(2_000, 2_000);
    const { value, turns, longestMs, cpuMs } = await beside(() => makeReceipts(text, [], records));
    report(
      `2,000 sentences, 2,000 records: ${cpuMs.toFixed(1)} ms CPU, ${longestMs.toFixed(1)} at once, ${turns} turns`,
    );
    expect(value.truncated).toBe(true);
    expect(value.units).toHaveLength(2_000);
    expect(value.units.at(-1)?.status).toBe('plain');
    expect(value.units.findIndex(({ status }) => status === 'linked')).toBe(0);
    expect(turns).toBeGreaterThan(3);
    expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(receiptsBytesMax);
  });

  test('of one endless sentence is not done', async () => {
    const text = `Service Number 1 ${'and `service-2` '.repeat(15_000)}.`;
    const { value, cpuMs } = await beside(() => makeReceipts(text, [], readServices(500)));
    report(`one sentence of ${text.length} characters: ${cpuMs.toFixed(1)} ms CPU`);
    expect(value).toMatchObject({ truncated: true, coverage: null, length: text.length });
    expect(value.units.map(({ status }) => status)).toEqual(['plain']);
  });
});

test('units come first within the bound on bytes, then the records that most of them rest on', async () => {
  const numbers = createRecordNumbers({
    recordsOf: () => recordsUnder({ entities: 'entity' }),
    now: () => new Date('2026-11-26T10:00:00Z'),
  });
  const entities = Array.from({ length: 900 }, (_, at) => ({
    identifier: `s-${at}`,
    title: `Thing ${at} ${'x'.repeat(150)}`,
    blueprint: 'service',
    properties: Object.fromEntries(Array.from({ length: 10 }, (__, by) => [`field${by}`, `value${at}x${by}`])),
  }));
  numbers.show({ tool: 'search_entities', call: 'call_0', asked: {}, text: JSON.stringify({ total: 900, entities }) });
  const text = entities
    .map(
      ({ identifier, properties }) =>
        `\`${identifier}\` has ${Object.values(properties)
          .map((each) => `\`${each}\``)
          .join(', ')}.`,
    )
    .join('\n\n');
  const receipts = await makeReceipts(text, [], numbers.records);
  expect(Buffer.byteLength(JSON.stringify(receipts))).toBeLessThanOrEqual(receiptsBytesMax);
  expect(receipts.truncated).toBe(true);
  expect(receipts.units).toHaveLength(900);
  expect(Object.keys(receipts.records).length).toBeGreaterThan(100);
});
