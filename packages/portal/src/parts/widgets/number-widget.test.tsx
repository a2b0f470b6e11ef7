import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import type { Widget } from './widget-shape.ts';
import { WidgetView } from './widget-view.tsx';

const week = 7 * 86_400_000;

const overTime = (...values: (number | null)[]) => ({
  minDate: 0,
  maxDate: values.length * week,
  dates: values.map((_, index) => index * week),
  series: [{ values }],
  data: values,
});

async function drawNumber(more: object, history: () => object) {
  const sent = fakeApi({
    aggregateEntities: () => ({ ok: true, result: { value: 30 } }),
    aggregateOverTime: () => ({ ok: true, result: history() }),
  } as never);
  const widget: Widget = {
    type: 'entities-number-chart',
    title: 'Lead time',
    chartType: 'aggregateByProperty',
    calculationBy: 'property',
    blueprint: 'deployment',
    func: 'median',
    property: 'leadHours',
    measureTimeBy: 'deployedAt',
    unit: 'custom',
    unitCustom: 'h',
    dataset: { combinator: 'and', rules: [] },
    ...more,
  };
  await draw(<WidgetView widget={widget} context={{ draw: () => null, page: 'x', pageFilters: [] }} />);
  await screen.findByText('30 h');
  return sent;
}

test('a figure tells its change, whether that is better, and its target', async () => {
  const portolan = { compare: 'previous', period: 'month', target: 24, goodWhen: 'down' };
  const sent = await drawNumber({ portolan }, () => overTime(50, 40, 30, 5));
  const note = await screen.findByText(/last month/);
  expect(note.textContent).toBe('▼Down 25% last month · better');
  expect(screen.getByText(/Target 24 h/).textContent).toBe('✗ Target 24 h missed');
  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/^From 50 h on .+ to 30 h on /);
  expect(sent.find(({ name }) => name === 'aggregateOverTime')?.sent.body).toMatchObject({
    aggregationType: 'aggregatePropertiesValues',
    func: 'median',
    properties: ['leadHours'],
    measureTimeBy: 'deployedAt',
    timeInterval: 'month',
    timeRange: { preset: 'last12Months' },
  });
});

test('without a history it says so, and draws no arrow', async () => {
  await drawNumber({ portolan: { compare: 'previous', goodWhen: 'up' } }, () => overTime(null, null, null, 30));
  await screen.findByText(/^History since/);
  expect(screen.queryByText(/[▲▼]/)).toBeNull();
});

test('a figure that is not compared reads no history', async () => {
  const sent = await drawNumber({}, () => overTime(1, 2, 3));
  expect(sent.map(({ name }) => name)).toEqual(['aggregateEntities']);
  expect(screen.queryByRole('button', { name: 'Menu of Lead time' })).toBeNull();
});

test('a history that fails leaves the figure', async () => {
  await drawNumber({ portolan: { compare: 'previous' } }, () => {
    throw new Refused(422, 'invalid_request', 'No');
  });
  await screen.findByText('The history could not be read.');
});
