import type { Blueprint } from '@portolan/contract/blueprints';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../../test/fake-api.ts';
import type { AnswerOf } from '../../../api/api.ts';
import { listConnections } from '../connections.ts';
import { RelatedGraph } from './related-graph.tsx';
import { relationFields } from './status.ts';

type Found = AnswerOf<'searchBlueprintEntities'>['entities'];

const model = (identifier: string, title: string, relations: object) =>
  ({
    identifier,
    title,
    schema: { properties: {} },
    relations,
    mirrorProperties: {},
    calculationProperties: {},
    aggregationProperties: {},
  }) as unknown as Blueprint;
const service = model('service', 'Service', { domain: { title: 'Domain', target: 'domain', many: false } });
const domain = model('domain', 'Domain', {});
const deployment = model('deployment', 'Deployment', { of: { title: 'Deployed', target: 'service', many: false } });
const result = model('_rule', 'Rule result', { of: { title: 'Checked', target: 'service', many: false } });
const blueprints = [service, domain, deployment, result];
const entity = { identifier: 'rates', title: 'Rates', relations: { domain: 'billing' } };
const some = (count: number): Found =>
  Array.from({ length: count }, (_, index) => ({ identifier: `e${index}`, title: `Number ${index}` }));

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  HTMLElement.prototype.scrollIntoView = () => {};
});

async function drawGraph(onTable = vi.fn()) {
  const connections = listConnections('service', entity, relationFields(service), blueprints);
  await draw(
    <RelatedGraph
      connections={connections}
      blueprints={blueprints}
      blueprint="service"
      entity={entity}
      onTable={onTable}
    />,
  );
}

test('each relation is a list with its count and at most five rows; more are in the table', async () => {
  fakeApi({
    searchBlueprintEntities: ({ params }) =>
      params['blueprint_identifier'] === 'deployment'
        ? { ok: true, entities: some(50), next: 'more' }
        : { ok: true, entities: [{ identifier: 'billing', title: 'Billing' }] },
    groupBlueprintEntities: () => ({ ok: true, groups: [], total: 300 }),
  });
  const onTable = vi.fn();
  await drawGraph(onTable);
  const list = await screen.findByRole('list', { name: 'Deployment, 300' });
  expect(within(list).getAllByRole('link')).toHaveLength(5);
  expect(within(await screen.findByRole('list', { name: 'Domain, 1' })).getByRole('link').textContent).toBe('Billing');
  fireEvent.click(within(list).getByRole('button', { name: '295 more' }));
  expect(onTable).toHaveBeenCalledWith(expect.objectContaining({ id: 'from-deployment-of' }));
});

test('platform records are asked for only when they are to be shown', async () => {
  const sent = fakeApi({ searchBlueprintEntities: () => ({ ok: true, entities: some(1) }) });
  await drawGraph();
  await screen.findByRole('list', { name: 'Deployment, 1' });
  const asked = () => sent.map(({ sent: { params } }) => params['blueprint_identifier']);
  expect(asked()).not.toContain('_rule');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Show platform records' }));
  await screen.findByRole('list', { name: 'Rule result, 1' });
});

test('one relation that cannot be read leaves the others, and can be tried again', async () => {
  let isBroken = true;
  fakeApi({
    searchBlueprintEntities: ({ params }) => {
      if (params['blueprint_identifier'] === 'deployment' && isBroken) throw new Refused(422, 'broken', 'Not today');
      return { ok: true, entities: some(1) };
    },
  });
  await drawGraph();
  await screen.findByRole('list', { name: 'Domain, 1' });
  const alert = await screen.findByRole('alert');
  isBroken = false;
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  await screen.findByRole('list', { name: 'Deployment, 1' });
});

test('arrow keys go from the entity into a column, down, back, and open what a row leads to', async () => {
  fakeApi({
    searchBlueprintEntities: () => ({ ok: true, entities: some(2) }),
    getEntity: ({ params }) => ({
      ok: true,
      entity: { identifier: params['entity_identifier'], title: 'Opened', relations: {} } as never,
    }),
  });
  await drawGraph();
  await screen.findByRole('list', { name: 'Domain, 2' });
  const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
  const here = () => document.activeElement?.textContent;
  await waitFor(() => expect(document.querySelectorAll('[data-item][tabindex="0"]')).toHaveLength(1));
  document.querySelector<HTMLElement>('[data-item][tabindex="0"]')?.focus();
  expect(here()).toContain('Rates');
  press('ArrowRight');
  press('ArrowDown');
  expect(here()).toBe('Number 1');
  press('ArrowLeft');
  expect(here()).toContain('Rates');
  press('ArrowRight');
  press('ArrowRight');
  await screen.findByRole('heading', { name: /Relations of Opened/ });
  expect(screen.getByRole('button', { name: 'Show the relations of Number 0', expanded: true })).toBeDefined();
});
