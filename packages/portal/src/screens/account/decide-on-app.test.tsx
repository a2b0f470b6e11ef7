import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { takeAskedAuthorization } from './asked-authorization.ts';
import { Screen as ConnectedApps } from './connected-apps.screen.tsx';
import { DecideOnApp, type DescribedApp } from './decide-on-app.tsx';

const request = 'response_type=code&client_id=mcpc_x&state=1';
const described: DescribedApp = {
  ok: true,
  client: { name: 'Helper <b>', redirectHost: 'app.example', isOnThisMachine: false },
  organization: { id: 'org_x', name: 'Mill' },
  offers: [
    { scope: 'mcp:read', isAsked: true, tools: 40, examples: ['Get an entity'] },
    { scope: 'mcp:build', isAsked: false, tools: 1, examples: ['Delete an entity'] },
  ],
  daysMax: 30,
};
const assign = vi.fn();

beforeEach(() => {
  sessionStorage.clear();
  assign.mockReset();
  vi.spyOn(location, 'assign').mockImplementation(assign);
});
afterEach(() => vi.restoreAllMocks());

test('the page names the app, its host and the organization, and ticks only what the app asked for', async () => {
  fakeApi({});
  await draw(<DecideOnApp request={request} described={described} />);
  expect(screen.getByRole('heading', { name: 'Let Helper <b> in?' })).toBeTruthy();
  expect(screen.getByText('app.example').tagName).toBe('STRONG');
  expect(screen.getByText(/act as you in Mill/)).toBeTruthy();
  const [read, build] = screen.getAllByRole('checkbox') as HTMLInputElement[];
  expect([read?.checked, build?.checked]).toEqual([true, false]);
  expect(screen.getByText('40 tools, such as Get an entity')).toBeTruthy();
  expect(screen.getByText(/The app did not ask for this/)).toBeTruthy();
});

test('Allow sends what is ticked and for how long, and goes where the server says', async () => {
  const sent = fakeApi({ decideAuthorization: () => ({ ok: true, location: 'https://app.example/callback?code=c' }) });
  await draw(<DecideOnApp request={request} described={described} />);
  fireEvent.click(screen.getAllByRole('checkbox')[1] as HTMLElement);
  fireEvent.click(screen.getByRole('button', { name: 'Allow' }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://app.example/callback?code=c'));
  expect(sent.map(({ sent: { body } }) => body)).toEqual([
    { request, decision: 'allow', scopes: ['mcp:read', 'mcp:build'], days: 30 },
  ]);
});

test('Deny sends no scopes, and nothing can be allowed without any', async () => {
  const sent = fakeApi({ decideAuthorization: () => ({ ok: true, location: 'https://app.example/callback?error=x' }) });
  await draw(<DecideOnApp request={request} described={described} />);
  fireEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement);
  expect((screen.getByRole('button', { name: 'Allow' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Deny' }));
  await waitFor(() => expect(assign).toHaveBeenCalledOnce());
  expect(sent.map(({ sent: { body } }) => body)).toEqual([{ request, decision: 'deny' }]);
});

test('a refusal of the server is shown, and the browser goes nowhere', async () => {
  fakeApi({
    decideAuthorization: () => {
      throw new Refused(403, 'missing_permissions', 'Apps are let into your own organization; leave the demo first');
    },
  });
  await draw(<DecideOnApp request={request} described={described} />);
  fireEvent.click(screen.getByRole('button', { name: 'Allow' }));
  expect((await screen.findByRole('alert')).textContent).toContain('leave the demo first');
  expect(assign).not.toHaveBeenCalled();
});

test('the request of an app outlives the way to the identity provider', () => {
  expect(takeAskedAuthorization('')).toBe('');
  expect(takeAskedAuthorization(`#${request}`)).toBe(request);
  expect(takeAskedAuthorization('')).toBe(request);
});

test('a connected app is shut out after a question', async () => {
  const app = {
    id: 'app_1',
    name: 'Helper',
    redirectHost: 'app.example',
    scopes: ['mcp:read' as const],
    createdAt: '2026-11-01T00:00:00.000Z',
    expiresAt: '2026-12-01T00:00:00.000Z',
    lastUsedAt: null,
  };
  let apps = [app];
  const sent = fakeApi({
    listConnectedApps: () => ({ ok: true, apps }),
    revokeConnectedApp: () => {
      apps = [];
      return { ok: true };
    },
  });
  await draw(<ConnectedApps />);
  expect(await screen.findByText('app.example')).toBeTruthy();
  expect(screen.getByText('Read what you may read')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Shut out Helper' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Its next request is refused');
  fireEvent.click(
    [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Shut out') as Element,
  );
  expect(await screen.findByText('You let no app in')).toBeTruthy();
  expect(sent.find(({ name }) => name === 'revokeConnectedApp')?.sent.params).toEqual({ app_id: 'app_1' });
});
