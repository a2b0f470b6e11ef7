import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { type Answers, fakeApi, Refused } from '../../test/fake-api.ts';
import { call } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { useStoredDraft } from './draft.ts';
import { SaveBar } from './save-bar.tsx';

const params = { webhook_identifier: 'push' };

/** A server that stores one text, which others may change at any time. */
function server(refuse?: () => never) {
  const stored = { description: 'as read', updatedBy: 'ana@example.com' };
  const answer = () => ({ ok: true, integration: { identifier: 'push', ...stored } });
  const received = fakeApi({
    getWebhook: answer,
    patchWebhook: ({ body }: { body: { description: string } }) => {
      refuse?.();
      stored.description = body.description;
      return answer();
    },
  } as unknown as Answers);
  return { stored, writes: () => received.filter(({ name }) => name === 'patchWebhook').map(({ sent }) => sent.body) };
}

function Screen() {
  const { data } = useRead('getWebhook', { params });
  return data ? <Editor latest={data.integration.description ?? ''} /> : null;
}

function Editor({ latest }: { latest: string }) {
  const { draft, set, error, bar } = useStoredDraft({
    latest,
    name: 'Push',
    guards: 'the text of Push',
    command: 'Save the text',
    problem: latest === 'broken' ? 'It is broken' : undefined,
    readNow: async () => {
      const { integration } = await call('getWebhook', { params });
      return { draft: integration.description ?? '', by: integration.updatedBy };
    },
    send: (description) => call('patchWebhook', { params, body: { description } } as never),
    savedOf: ({ integration }) => integration.description ?? '',
    staleAfter: ['getWebhook'],
    done: 'The text was saved',
  });
  return (
    <>
      <textarea aria-label="Text" value={draft} onChange={({ currentTarget }) => set(currentTarget.value)} />
      {error && <p role="alert">{error.message}</p>}
      <SaveBar {...bar} />
    </>
  );
}

const text = () => screen.findByLabelText<HTMLTextAreaElement>('Text');
const write = async (value: string) => fireEvent.change(await text(), { target: { value } });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test('nothing is to be saved until something is typed, and nothing after it was discarded', async () => {
  const { writes } = server();
  await draw(<Screen />);
  await text();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await write('mine');
  await press('Discard');
  expect((await text()).value).toBe('as read');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(writes()).toEqual([]);
});

test('what is saved is the new beginning', async () => {
  const { writes } = server();
  await draw(<Screen />);
  await write('mine');
  await press('Save');
  await screen.findByText('The text was saved');
  expect(writes()).toEqual([{ description: 'mine' }]);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
  expect((await text()).value).toBe('mine');
});

test('while nothing is typed it follows what others save; what is typed stays', async () => {
  const { stored } = server();
  const { queries } = await draw(<Screen />);
  await text();
  stored.description = 'theirs';
  await queries.invalidateQueries();
  await waitFor(async () => expect((await text()).value).toBe('theirs'));
  await write('mine');
  stored.description = 'theirs again';
  await queries.invalidateQueries();
  expect((await text()).value).toBe('mine');
});

test('who saves second sees both, and their answer decides', async () => {
  const { stored, writes } = server();
  await draw(<Screen />);
  await write('mine');
  stored.description = 'theirs';
  await press('Save');
  const question = await screen.findByRole('dialog');
  within(question).getByText('Push was changed meanwhile');
  within(question).getByText(/ana@example.com saved it after you began/);
  const shown = (title: string) => within(question).getByRole('region', { name: title }).textContent;
  expect(shown('Theirs, which is saved')).toContain('theirs');
  expect(shown('Yours, not saved')).toContain('mine');
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes()).toEqual([]);
  expect((await text()).value).toBe('mine');
  await press('Save');
  await press('Replace their changes');
  await screen.findByText('The text was saved');
  expect(stored.description).toBe('mine');
});

test('a refusal is kept in sight, and so is what was typed', async () => {
  const { stored } = server(() => {
    throw new Refused(422, 'invalid_request', 'Too long.');
  });
  await draw(<Screen />);
  await write('mine');
  await press('Save');
  expect((await screen.findByRole('alert')).textContent).toBe('Too long.');
  expect((await text()).value).toBe('mine');
  expect(stored.description).toBe('as read');
  await press('Discard');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('asks before somebody leaves with what is not saved', async () => {
  server();
  const { goTo } = await draw(<Screen />);
  await write('mine');
  void goTo('/elsewhere');
  await screen.findByText('Leave without saving the text of Push');
});
