import { makeReceipts } from '../packages/server/src/modules/assistant/receipts/make-receipts.ts';
import {
  createRecordNumbers,
  type ReadRecord,
} from '../packages/server/src/modules/assistant/receipts/number-records.ts';
import { recordsUnder } from '../packages/server/src/platform/tools/tool-records.ts';
import { median } from './harness/statistics.ts';
import { type Finding, renderTable } from './harness/table.ts';

// npm run receipts -w @portolan/bench [-- sentences records rounds]: what it costs to compare an answer with what its
// invocation read. CPU of the whole process, so the collector of garbage counts.
const [sentences = 200, count = 500, rounds = 200] = process.argv.slice(2).map(Number);
const languages = ['Go', 'Rust', 'Java', 'Python', 'Kotlin'];

/** Services whose titles begin alike, with values that many share. */
function readServices(): readonly ReadRecord[] {
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

const kinds = [
  (at: number) => `Service Number ${at} is written in ${languages[at % languages.length]}.`,
  (at: number) => `It is a Gold service in Java that runs ${at + 21} replicas.`,
  (at: number) => `\`service-${at}\` depends on Service Number ${(at + 1) % count} and belongs to team-${at % 20}.`,
  () => 'It is written in Go, and its tier is Silver.',
];
const text = Array.from({ length: sentences }, (_, at) => kinds[at % kinds.length]?.((at * 7) % count)).join('\n\n');
const records = readServices();

async function cpuMs(): Promise<number> {
  const before = process.cpuUsage();
  await makeReceipts(text, [], records);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const first = await cpuMs();
for (let round = 0; round < 20; round += 1) await cpuMs();
const times: number[] = [];
for (let round = 0; round < rounds; round += 1) times.push(await cpuMs());
const path = `receipts, ${sentences} sentences × ${count} records`;
const findings: Finding[] = [
  {
    path,
    contender: 'ours',
    figure: 'median',
    value: median(times),
    unit: 'CPU-ms',
    budget: { of: 'value', most: 15 },
    note: `least ${Math.min(...times).toFixed(1)}, ${rounds} rounds`,
  },
  { path, contender: 'ours', figure: 'first in a process', value: first, unit: 'CPU-ms' },
];
console.log(renderTable(findings));
