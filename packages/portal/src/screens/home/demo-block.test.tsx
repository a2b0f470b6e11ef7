import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { DemoBlock } from './demo-block.tsx';

const demo = { id: 'org_demo', name: 'Halyard Freight', createdAt: '2026-11-23T00:00:00.000Z', isBeingRemoved: false };

test('one click makes the demo and enters it', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  const received = fakeApi({
    getDemoOrganization: () => ({ ok: true, demo: null, isOffered: true }),
    createDemoOrganization: () => ({ ok: true, demo }),
    enterOrganization: () => ({ ok: true, csrfToken: 'new', organization: { id: demo.id } }),
  } as never);
  await draw(<DemoBlock />);
  fireEvent.click(await screen.findByRole('button', { name: 'Add the demo' }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'));
  const entered = received.find(({ name }) => name === 'enterOrganization');
  expect(entered?.sent.params).toEqual({ organization_id: 'org_demo' });
});

test('a refusal is shown, and nothing is entered', async () => {
  const received = fakeApi({
    getDemoOrganization: () => ({ ok: true, demo: null, isOffered: true }),
    createDemoOrganization: () => {
      throw new Refused(409, 'identifier_taken', 'There is a demo beside this organization already');
    },
  } as never);
  await draw(<DemoBlock />);
  fireEvent.click(await screen.findByRole('button', { name: 'Add the demo' }));
  await screen.findByText('There is a demo beside this organization already');
  expect(received.map(({ name }) => name)).not.toContain('enterOrganization');
});

test('removing asks for the name and sends it', async () => {
  const received = fakeApi({
    getDemoOrganization: () => ({ ok: true, demo, isOffered: true }),
    removeDemoOrganization: () => ({ ok: true, demo: { ...demo, isBeingRemoved: true } }),
  } as never);
  await draw(<DemoBlock />);
  fireEvent.click(await screen.findByRole('button', { name: 'Remove the demo' }));
  const remove = await screen.findByRole('button', { name: 'Remove' });
  expect(remove).toHaveProperty('disabled', true);
  fireEvent.change(screen.getByRole('textbox', { name: 'Type Halyard Freight to go on' }), {
    target: { value: 'Halyard Freight' },
  });
  fireEvent.click(remove);
  await screen.findByText('Halyard Freight was removed');
  const sent = received.find(({ name }) => name === 'removeDemoOrganization');
  expect(sent?.sent.query).toEqual({ confirm: 'Halyard Freight' });
});

test('where the product came without the demo there is nothing to offer', async () => {
  fakeApi({ getDemoOrganization: () => ({ ok: true, demo: null, isOffered: false }) });
  await draw(<DemoBlock />);
  await waitFor(() => expect(screen.queryByText('Look at an example first')).toBeNull());
});
