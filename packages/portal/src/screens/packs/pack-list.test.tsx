import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { PackList } from './pack-list.tsx';

const pack = {
  id: 'incidents',
  version: 1,
  title: 'Incidents',
  summary: 'What broke, and who is on call.',
  icon: 'Alert',
  fedBy: ['PagerDuty', 'Opsgenie'],
  blueprints: [{ identifier: 'incident', title: 'Incident' }],
  counts: { scorecards: 0, actions: 0, pages: 1 },
  installed: null,
};
const installed = { version: 1, installedAt: '2030-01-02T03:04:05.000Z', installedBy: 'ada' };
const change = (id: string, more: object) => {
  const [kind, identifier] = id.split(':');
  return { id, kind, blueprint: null, identifier, title: identifier, ...more };
};
function Models() {
  const [shown, setShown] = useState<string>();
  return <PackList shown={shown} onShow={setShown} />;
}

const listPacks =
  (more: object = {}) =>
  () => ({ ok: true, packs: [{ ...pack, ...more }] });
const click = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));

test('a card says what the model brings, and its preview what would change', async () => {
  const planPack = () => ({
    ok: true,
    changes: [change('blueprint:incident', { change: 'new' }), change('blueprint:service', { change: 'same' })],
  });
  const received = fakeApi({ listPacks: listPacks(), planPack, installPack: planPack } as never);
  await draw(<Models />);
  await screen.findByText('1 blueprint, 1 page: Incident');
  await screen.findByText('Filled by PagerDuty, Opsgenie');
  await click('Preview Incidents');
  await screen.findByRole('heading', { name: 'New (1)' });
  await screen.findByRole('heading', { name: 'There already (1)' });
  await click('Install');
  await screen.findByText('Incidents is installed');
  expect(received.find(({ name }) => name === 'installPack')?.sent.body).toEqual({ resolutions: {} });
  expect(received.filter(({ name }) => name === 'listPacks')).toHaveLength(2);
});

test('who may not install models reads what they bring, and that this needs Admin', async () => {
  const received = fakeApi({ listPacks: listPacks() } as never);
  await draw(<Models />, { access: ['token'] });
  await screen.findByText('1 blueprint, 1 page: Incident');
  const preview = await screen.findByRole('button', { name: 'Preview Incidents' });
  expect(document.getElementById(preview.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(/^Needs Admin/);
  fireEvent.click(preview);
  expect([screen.queryByRole('dialog'), received.map(({ name }) => name)]).toEqual([null, ['listPacks']]);
});

test('a conflict is decided before the model can be installed', async () => {
  const reason = 'Another page "incidents_now" is there';
  const changes = [change('page:incidents_now', { change: 'conflict', reason })];
  const received = fakeApi({
    listPacks: listPacks(),
    planPack: () => ({ ok: true, changes }),
    installPack: () => ({ ok: true, changes }),
  } as never);
  await draw(<Models />);
  await click('Preview Incidents');
  await screen.findByText(`${reason}.`);
  await screen.findByText('1 conflict needs a decision.');
  expect(screen.getByRole('button', { name: 'Install' }).hasAttribute('disabled')).toBe(true);
  fireEvent.change(screen.getByRole('combobox', { name: /Decide on Page/ }), { target: { value: 'rename' } });
  await click('Install');
  await waitFor(() => expect(received.some(({ name }) => name === 'installPack')).toBe(true));
  const sent = received.find(({ name }) => name === 'installPack')?.sent;
  expect(sent?.body).toEqual({ resolutions: { 'page:incidents_now': 'rename' } });
});

test('removing shows what stays, and deletes entities only where that is chosen', async () => {
  const kept = change('blueprint:incident', { change: 'kept', reason: 'It has 2 entities', entities: 2 });
  const received = fakeApi({
    listPacks: listPacks({ installed }),
    planPack: ({ body }: { body: { deleteEntities: Record<string, number> } }) => ({
      ok: true,
      changes: [body.deleteEntities['incident'] === 2 ? change('blueprint:incident', { change: 'removed' }) : kept],
    }),
    removePack: () => ({ ok: true, changes: [] }),
  } as never);
  await draw(<Models />);
  await screen.findByText('Installed');
  await click('Remove Incidents');
  await screen.findByText('It has 2 entities.');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Delete it with its 2 entities' }));
  await screen.findByRole('heading', { name: 'Is removed (1)' });
  await click('Remove');
  await screen.findByText('Incidents was removed');
  expect(received.find(({ name }) => name === 'removePack')?.sent.body).toEqual({ deleteEntities: { incident: 2 } });
});

test('a refusal stays in the preview', async () => {
  fakeApi({
    listPacks: listPacks(),
    planPack: () => ({ ok: true, changes: [change('blueprint:incident', { change: 'new' })] }),
    installPack: () => {
      throw new Refused(409, 'identifier_taken', 'The starter model "Incidents" is installed');
    },
  } as never);
  await draw(<Models />);
  await click('Preview Incidents');
  await screen.findByRole('heading', { name: 'New (1)' });
  await click('Install');
  await screen.findByText('Nothing was installed');
  expect(screen.getByRole('dialog')).toBeTruthy();
});
