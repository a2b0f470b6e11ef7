import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { PastEntity } from './past-entity.tsx';

const at = '2026-03-01T12:00:00.000Z';
const blueprint = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: { tier: { type: 'number', title: 'Tier' }, note: { type: 'string', title: 'Note' } } },
  relations: {},
  mirrorProperties: {},
  calculationProperties: {},
  aggregationProperties: {},
};
const meta = { icon: null, blueprint: 'service', team: [], relations: {}, createdBy: 'a', updatedBy: 'a' };
const now = {
  ...meta,
  identifier: 'quote',
  title: 'Quote',
  properties: { tier: 2, note: 'same' },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-04-01T00:00:00.000Z',
};
const asOf = {
  at,
  changedAt: '2026-02-01T00:00:00.000Z',
  nextChangeAt: '2026-04-01T00:00:00.000Z',
  deletedAt: null as string | null,
  unknown: [{ path: 'team', reason: 'A team of it was deleted since' }],
};

function answers(past: object | Refused) {
  return fakeApi({
    getEntity: ({ query }: { query: Record<string, string> }) => {
      if (query['as_of'] === undefined) return { ok: true, entity: now };
      if (past instanceof Refused) throw past;
      return { ok: true, ...past };
    },
    getBlueprint: () => ({ ok: true, blueprint }),
    listScorecards: () => ({ ok: true, scorecards: [] }),
    listTeams: () => ({ ok: true, teams: [] }),
  } as never);
}

const then = { entity: { ...now, properties: { tier: 1, note: 'same', old: 'x' }, updatedAt: asOf.changedAt }, asOf };
const drawn = async (onGo = vi.fn()) => {
  await draw(<PastEntity blueprint="service" identifier="quote" at={at} onGo={onGo} />);
  return onGo;
};

test('what is different now is marked with the value of now, and what is not known says why', async () => {
  answers(then);
  await drawn();
  const tier = await screen.findByRole('row', { name: /^Tier/ });
  await expect.poll(() => tier.textContent).toBe('Tier different now1Now: 2');
  expect(screen.getByRole('row', { name: /^Note/ }).textContent).toBe('Note same');
  expect(screen.getByRole('row', { name: /^old/ }).textContent).toContain('x');
  expect(screen.getByRole('row', { name: /^Owning teams/ }).textContent).toContain('A team of it was deleted since');
});

test('changes are walked through, and the way back to now is there', async () => {
  answers(then);
  const onGo = await drawn();
  await screen.findByRole('row', { name: /^Tier/ });
  fireEvent.click(screen.getByRole('button', { name: 'Before this change' }));
  fireEvent.click(screen.getByRole('button', { name: 'Next change' }));
  fireEvent.change(screen.getByLabelText('Moment'), { target: { value: '2026-02-15T10:00' } });
  fireEvent.click(screen.getByRole('button', { name: 'Back to now' }));
  expect(onGo.mock.calls.map(([moment]) => moment)).toEqual([
    '2026-01-31T23:59:59.999Z',
    '2026-04-01T00:00:00.000Z',
    new Date('2026-02-15T10:00').toISOString(),
    undefined,
  ]);
});

test('nothing is offered before the creation', async () => {
  answers({ ...then, asOf: { ...asOf, changedAt: now.createdAt } });
  await drawn();
  await screen.findByRole('row', { name: /^Tier/ });
  expect(screen.getByRole('button', { name: 'Before this change' })).toHaveProperty('disabled', true);
});

test('a moment at which it did not exist keeps the banner, with the sentence of the server', async () => {
  answers(new Refused(404, 'not_found', 'did not exist: it was created at 2026-05-01'));
  const onGo = await drawn();
  await screen.findByText(/it was created at 2026-05-01/);
  fireEvent.click(screen.getByRole('button', { name: 'Back to now' }));
  expect(onGo).toHaveBeenCalledWith(undefined);
});
