import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import type { Blueprint } from './blueprint-draft.ts';
import { collectLinks } from './model-links.ts';
import { ModelMap } from './model-map.tsx';

const blueprint = (identifier: string, ...targets: string[]) =>
  ({
    identifier,
    title: identifier.toUpperCase(),
    relations: Object.fromEntries(targets.map((target) => [target, { target }])),
  }) as unknown as Blueprint;
const blueprints = [blueprint('service', 'domain'), blueprint('domain'), blueprint('alone')];
const links = collectLinks(blueprints);
const chip = (title: string) => screen.getByRole('button', { name: new RegExp(`^${title}`) });

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});

async function drawMap(found?: ReadonlySet<string>) {
  const onSelect = vi.fn();
  const counts = new Map([['service', 1200]]);
  const view = { blueprints, links, counts, found, selected: undefined, onSelect };
  await draw(<ModelMap view={view} lanes={[{ title: 'Platform', blueprints }]} />);
  await screen.findByRole('button', { name: /^SERVICE/ });
  return onSelect;
}

test('a lane says its name, a chip how many entities there are; what has none says so', async () => {
  await drawMap();
  expect(screen.getByRole('region', { name: 'Platform' })).toBeDefined();
  expect(chip('SERVICE').textContent).toBe('SERVICE1,200');
  expect(chip('ALONE').textContent).toBe('ALONE0');
});

test('the focused chip is told in words, and what it is connected with is marked', async () => {
  await drawMap();
  act(() => chip('SERVICE').focus());
  await screen.findByText('SERVICE, 1,200 entities, 0 relations in, 1 out');
  expect(chip('DOMAIN').hasAttribute('data-linked')).toBe(true);
  expect(chip('ALONE').hasAttribute('data-linked')).toBe(false);
});

test('all chips are one tab stop, and a click selects', async () => {
  const onSelect = await drawMap();
  await waitFor(() => expect(document.querySelectorAll('[data-item][tabindex="0"]')).toHaveLength(1));
  fireEvent.click(chip('DOMAIN'));
  expect(onSelect).toHaveBeenCalledWith('domain');
});

test('a search lights up what it finds', async () => {
  await drawMap(new Set(['alone']));
  expect(chip('ALONE').hasAttribute('data-match')).toBe(true);
  expect(chip('SERVICE').hasAttribute('data-match')).toBe(false);
});
