import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { PastTable } from './past-table.tsx';

const at = '2026-03-01T12:00:00.000Z';
const blueprint = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: { tier: { type: 'number', title: 'Tier' } } },
  relations: {},
  mirrorProperties: {},
  calculationProperties: {},
  aggregationProperties: {},
};
const entity = (identifier: string, tier: number) => ({
  identifier,
  title: identifier,
  properties: { tier },
  relations: {},
});
const asOf = { at, unknown: [], entities: [], undecided: [] as string[], includesDeleted: true };

function answers(search: (body: { from?: string }) => object) {
  return fakeApi({
    searchBlueprintEntities: ({ body }: { body: { from?: string } }) => ({ ok: true, ...search(body) }),
    getBlueprint: () => ({ ok: true, blueprint }),
    listScorecards: () => ({ ok: true, scorecards: [] }),
    listTeams: () => ({ ok: true, teams: [] }),
  } as never);
}
const table = (onGo = vi.fn()) =>
  draw(<PastTable blueprint="service" label="Services" at={at} dataset={undefined} onGo={onGo} />);

test('the rows of then lead to the entities of then, page by page', async () => {
  const received = answers(({ from }) =>
    from ? { entities: [entity('two', 2)], asOf } : { entities: [entity('one', 1)], next: 'cursor', asOf },
  );
  await table();
  const link = await screen.findByRole('link', { name: 'one' });
  expect(link.getAttribute('href')).toContain(`as_of=${encodeURIComponent(at)}`);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await screen.findByRole('link', { name: 'two' });
  const asked = received.filter(({ name }) => name === 'searchBlueprintEntities').map(({ sent }) => sent.body);
  expect(asked).toMatchObject([{ as_of: at }, { as_of: at, from: 'cursor' }]);
});

test('what is left out is said: deleted entities, and those that are not known', async () => {
  answers(() => ({ entities: [entity('one', 1)], asOf: { ...asOf, undecided: ['x', 'y'], includesDeleted: false } }));
  await table();
  await screen.findByText(/deleted since are shown to administrators only/);
  expect(screen.getByText(/Whether 2 more entities belong here is not known/)).toBeTruthy();
});

test('a view whose rules cannot be asked of the past says why, with the way back', async () => {
  answers(() => {
    throw new Refused(422, 'invalid_request', 'cost is computed, and what it was is not recorded');
  });
  const onGo = vi.fn();
  await table(onGo);
  await screen.findByText(/cost is computed/);
  fireEvent.click(screen.getByRole('button', { name: 'Back to now' }));
  expect(onGo).toHaveBeenCalledWith(undefined);
});
