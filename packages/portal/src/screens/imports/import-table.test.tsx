import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { type Answers, fakeApi, Refused } from '../../../test/fake-api.ts';
import { Screen } from './new-import.screen.tsx';

const service = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: { cost: { type: 'number', title: 'Cost' }, since: { type: 'string', format: 'date-time' } } },
  relations: {},
};

/** Answers as the server does; refuses the identifier `no`. */
const answers = {
  listBlueprints: () => ({ ok: true, blueprints: [service] }),
  searchBlueprintEntities: () => ({ ok: true, entities: [] }),
  createSource: () => ({
    ok: true,
    source: { identifier: 'file-1', title: 'Pasted table', settings: {}, allowed: { write: true } },
  }),
  listMissing: () => ({ ok: true, missing: [], total: 0 }),
  importLines: ({ query, body }: { query: Record<string, string>; body: { identifier: string }[] }) => {
    const after = Number(query['after'] ?? 0);
    const problems = body.flatMap(({ identifier }, index) =>
      identifier === 'no' ? [{ line: after + index + 1, error: 'invalid_request', message: 'Not this one' }] : [],
    );
    const refused = problems.length;
    const counts = { created: body.length - refused, changed: 0, unchanged: 0, refused, waiting: 0 };
    const end = after + body.length;
    const done = { done: true, import: 'imp_1', status: 'completed', lines: end, ...counts, missing: 0 };
    const told = [{ import: 'imp_1', lines: after }, ...problems, { chunk: 1, line: end, ...counts }];
    const lines = query['more'] === 'true' ? told : [...told, done];
    return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  },
} as unknown as Answers;

async function pasted(text: string, extra: Answers = {}, access?: readonly string[]) {
  const received = fakeApi({ ...answers, ...extra });
  await draw(<Screen />, access ? { access } : {});
  fireEvent.change(screen.getByLabelText(/^Or paste cells/), { target: { value: text } });
  fireEvent.click(screen.getByRole('button', { name: 'Read what was pasted' }));
  return received;
}

async function chooseService() {
  fireEvent.click(await screen.findByRole('combobox', { name: 'Blueprint' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Service (service)' }));
}

test('shows what becomes of each column, then the plan, then the result', async () => {
  const received = await pasted('id,cost\na,1\nno,2\nb,x\n');
  await chooseService();
  const cost = await screen.findByRole('row', { name: /^cost/ });
  within(cost).getByText('"x" is no number.');
  fireEvent.click(screen.getByRole('button', { name: 'Check the rows' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Import 1 row' }));
  await screen.findByText('The table was imported');
  screen.getByRole('row', { name: '3 Not this one' });
  screen.getByRole('row', { name: '4 cost "x" is no number.' });
  const sent = received.filter(({ name }) => name === 'importLines').map(({ sent: { query } }) => query);
  expect(sent.map((query) => [query['dry_run'], query['source']])).toEqual([
    ['true', undefined],
    ['true', undefined],
    ['false', 'file-1'],
    ['false', 'file-1'],
  ]);
});

test('who may not create blueprints is told so, and keeps to those that there are', async () => {
  await pasted('id,cost\na,1\n', {}, ['token']);
  const made = await screen.findByRole<HTMLInputElement>('radio', { name: /^Make a blueprint/ });
  expect([made.getAttribute('aria-disabled'), screen.getByText('Needs Admin').isConnected]).toEqual(['true', true]);
  fireEvent.click(made);
  expect(made.checked).toBe(false);
  expect(screen.queryByLabelText('Title of the blueprint')).toBe(null);
  await chooseService();
  await screen.findByRole('button', { name: 'Check the rows' });
});

test('asks for the order of dates that may be read both ways before anything is sent', async () => {
  await pasted('id,since\na,04/05/2026\n');
  await chooseService();
  await screen.findByText(/Choose whether the dates of "since" begin with the day or the month/);
  expect(screen.getByRole('button', { name: 'Check the rows' }).hasAttribute('disabled')).toBe(true);
  fireEvent.click(screen.getByRole('combobox', { name: 'Dates begin with' }));
  fireEvent.click(await screen.findByRole('option', { name: 'the day' }));
  await screen.findByText('2026-05-04T00:00:00.000Z');
  expect(screen.getByRole('button', { name: 'Check the rows' }).hasAttribute('disabled')).toBe(false);
});

test('says why a server refuses the import, and stays where it was', async () => {
  const refuse = () => {
    throw new Refused(403, 'missing_permissions', 'You may not create entities of service.');
  };
  await pasted('id,cost\na,1\n', { importLines: refuse });
  await chooseService();
  await screen.findByRole('row', { name: /^cost/ });
  fireEvent.click(screen.getByRole('button', { name: 'Check the rows' }));
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain('You may not create entities of service.'),
  );
  screen.getByRole('button', { name: 'Check the rows' });
});

test('says what is wrong with what was pasted', async () => {
  await pasted('id,cost\n');
  expect((await screen.findByRole('alert')).textContent).toContain('The file has headings and no rows.');
});
