import { expect, test } from 'vitest';
import { findManualItems, type ManualItem } from '../src/index.ts';
import { generateOrganization } from './generate-organization.ts';

const runs = Number(process.env['PORTOLAN_REFERENCES_RUNS'] ?? 20);
const seed = Number(process.env['PORTOLAN_REFERENCES_SEED'] ?? 1);
const formatPlace = ({ resource, pointer }: ManualItem): string => `${resource.kind} ${resource.identifier} ${pointer}`;

test('every planted reference is found, and hardly anything else', () => {
  let planted = 0;
  let decoys = 0;
  const missed: string[] = [];
  const wrong: string[] = [];
  for (let run = 0; run < runs; run++) {
    for (const model of ['legacy', 'beta'] as const) {
      const generated = generateOrganization(model, seed * 1000 + run);
      const items = findManualItems(generated.documents);
      const found = new Set(items.map(formatPlace));
      planted += generated.planted.size;
      decoys += generated.decoys;
      for (const place of generated.planted)
        if (!found.has(place)) missed.push(`${model} ${seed * 1000 + run} ${place}`);
      for (const item of items) {
        if (!generated.planted.has(formatPlace(item)))
          wrong.push(`${model} ${formatPlace(item)} ${JSON.stringify(item.before)} ${item.why}`);
      }
    }
  }
  const recall = 1 - missed.length / planted;
  const precision = (planted - missed.length) / (planted - missed.length + wrong.length);
  process.stdout.write(`references: ${planted} planted, ${decoys} decoys, recall ${recall}, precision ${precision}\n`);
  expect(missed.slice(0, 10)).toEqual([]);
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(recall).toBeGreaterThanOrEqual(0.999);
  expect(precision).toBeGreaterThanOrEqual(0.97);
});
