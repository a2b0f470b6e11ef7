import { expect, test } from 'vitest';
import { emptyAgent, toAgentBody, toAgentValues } from './agent-values.ts';

const entity = (labels: unknown) => ({ identifier: 'guide', properties: { labels } }) as never;
const labelsOf = (values: typeof emptyAgent) => toAgentBody(values).properties.labels;

test('whether an answer has to be backed is a choice of its own, and a label of the agent', () => {
  const values = toAgentValues(entity({ area: 'shop', receipts: 'strict' }));
  expect([values.receipts, JSON.parse(values.labels)]).toEqual(['strict', { area: 'shop' }]);
  expect(labelsOf({ ...emptyAgent, ...values })).toEqual({ area: 'shop', receipts: 'strict' });
  expect(labelsOf({ ...emptyAgent, ...values, receipts: 'off' })).toEqual({ area: 'shop' });
  expect(labelsOf({ ...emptyAgent, receipts: 'strict' })).toEqual({ receipts: 'strict' });
});

test('labels that mean something else stay as they are, and an agent without labels has none', () => {
  for (const labels of [{ receipts: 'no' }, { receipts: 3, a: 1 }]) {
    const values = toAgentValues(entity(labels));
    expect(values.receipts).toBe('off');
    expect(labelsOf({ ...emptyAgent, ...values })).toEqual(labels);
  }
  for (const labels of [null, undefined, {}]) {
    const values = toAgentValues(entity(labels));
    expect([values.labels, labelsOf({ ...emptyAgent, ...values })]).toEqual(['', null]);
  }
});
