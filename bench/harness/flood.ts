import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { atPace, type Outcome } from './paced.ts';
import { send, type TimedAnswer } from './replicas.ts';

interface Flood {
  readonly port: number;
  readonly token: string;
  readonly perSecond: number;
  readonly milliseconds: number;
}

let count = 0;

/** Twenty entities, of 2,000 that are written again and again. */
export function writeTwenty({ port, token }: Pick<Flood, 'port' | 'token'>): Promise<TimedAnswer> {
  count += 20;
  const entities = Array.from({ length: 20 }, (_, at) => ({
    identifier: `e-${(count + at) % 2_000}`,
    title: `${count}`,
  }));
  const body = { entities };
  return send(port, 'POST', '/v1/blueprints/service/entities/bulk?upsert=true', { token, body });
}

const file = fileURLToPath(import.meta.url);

/**
 * Bulk writes at a pace, from a process of their own: whoever reads beside them does not wait for their sender. Resolves when
 * they begin; `outcomes` when every one was answered.
 */
export function beginFlood(flood: Flood): Promise<{ readonly outcomes: Promise<Outcome[]> }> {
  return new Promise((resolve, reject) => {
    const child = fork(file, [JSON.stringify(flood)], {
      execArgv: ['--conditions=portolan-source', '--import', 'tsx'],
      serialization: 'advanced',
    });
    child.once('error', reject);
    child.once('message', () => {
      resolve({ outcomes: new Promise((end) => void child.once('message', (outcomes) => end(outcomes as Outcome[]))) });
    });
  });
}

if (process.argv[1] === file && process.send) {
  const flood = JSON.parse(process.argv[2] ?? '') as Flood;
  process.send('begun');
  const outcomes = await atPace('bulk', flood.perSecond, flood.milliseconds, () => writeTwenty(flood));
  process.send(outcomes, undefined, undefined, () => process.exit());
}
