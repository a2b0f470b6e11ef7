import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { CallOrigins } from './call-origins.tsx';

const decision = {
  result: 'draft',
  rule: 'read',
  reason: 'Text from outside was read',
  label: ['credential:deployer', 'outside', 'person:mia@example.com'],
  risk: 'standard',
  origins: {
    reason: { from: 'read', tool: 'get_entity', call: 'call_0', authors: ['outside'] },
    times: { from: 'default' },
    $entity: { from: 'question' },
  },
};

const runWith = (more: object) => ({ id: 'r_1', decision: { ...decision, ...more } }) as never;

test('each value says where it comes from, and whose text was read', async () => {
  await draw(<CallOrigins run={runWith({})} />);
  const said = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(said).toEqual([
    'reason: read with get_entity, text of somebody outside',
    'times: default of the form',
    'Entity: the question',
  ]);
  expect(screen.getByText('Read before: text of deployer, somebody outside, mia@example.com.')).toBeTruthy();
});

test('a run that only would have waited says so', async () => {
  await draw(<CallOrigins run={runWith({ observed: { result: 'draft', rule: 'read', reason: 'It was read' } })} />);
  expect((await screen.findByRole('note')).textContent).toContain('it would have waited: It was read.');
});

test('a trusted source is called by its name', async () => {
  const label = ['source:webhook/7/alerts'];
  await draw(<CallOrigins run={runWith({ label, origins: { text: { from: 'context' } } })} />);
  expect((await screen.findByRole('listitem')).textContent).toBe('text: what the person looked at');
  expect(screen.getByText('Read before: text of the trusted webhook alerts.')).toBeTruthy();
});
