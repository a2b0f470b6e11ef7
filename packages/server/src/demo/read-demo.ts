import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTransfer, type TransferFile } from '@portolan/contract/transfer-file';
import { demoReviver } from './clock.ts';

/** In the order in which they are loaded: what an entity relates to comes before it. */
const files = [
  'blueprints',
  'people',
  'services',
  'deliveries',
  'supply',
  'assistant',
  'scorecards',
  'actions',
  'pages',
];

/** Where the demo's files lie, and where this server answers. */
export interface DemoSource {
  readonly folder: string;
  readonly publicUrl: string;
}

/** The demo organization as it is at `now`. The same `now` always gives the same data. */
export function readDemo({ folder, publicUrl }: DemoSource, now: Date): TransferFile {
  const text = files.map((name) => readFileSync(join(folder, `${name}.jsonl`), 'utf8')).join('');
  const demo = readTransfer(text, demoReviver(now, publicUrl));
  if (demo.problems.length > 0) throw new SyntaxError(`The demo cannot be read: ${JSON.stringify(demo.problems)}`);
  return demo;
}
