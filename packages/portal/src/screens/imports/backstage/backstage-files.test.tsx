import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { type Answers, fakeApi } from '../../../../test/fake-api.ts';
import { Screen } from './backstage-files.screen.tsx';

const documents = `
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: cart}
spec: {type: service, lifecycle: production, owner: payments, system: shop}
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: search}
spec: {type: service, lifecycle: production, owner: nobody}
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: payments}
spec: {type: team, children: []}
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {title: Nameless}
`;

function answering(received: { identifier: string }[]): Answers {
  const blueprints: object[] = [
    { identifier: '_team', title: 'Team', schema: { properties: {} }, relations: {} },
    { identifier: '_user', title: 'User', schema: { properties: {} }, relations: {} },
  ];
  return {
    listBlueprints: () => ({ ok: true, blueprints: [...blueprints] }),
    getOwnOrganization: () => ({ ok: true, organization: { featureFlags: ['USERS_AND_TEAMS_OWNERSHIP_V2'] } }),
    searchBlueprintEntities: () => ({ ok: true, entities: [] }),
    createBlueprint: ({ body }: { body: object }) => {
      blueprints.push(body);
      return { ok: true, blueprint: body };
    },
    patchBlueprint: ({ body }: { body: object }) => ({ ok: true, blueprint: body }),
    createSource: () => ({
      ok: true,
      source: { identifier: 'file-1', title: 'catalog-info.yaml', settings: {}, allowed: { write: true } },
    }),
    listMissing: () => ({ ok: true, missing: [], total: 0 }),
    importLines: ({ query, body }: { query: Record<string, string>; body: { identifier: string }[] }) => {
      received.push(...body);
      const after = Number(query['after'] ?? 0);
      const counts = { created: body.length, changed: 0, unchanged: 0, refused: 0, waiting: 0 };
      const end = after + body.length;
      const done = { done: true, import: 'imp_1', status: 'completed', lines: end, ...counts, missing: 0 };
      const told = [
        { import: 'imp_1', lines: after },
        { chunk: 1, line: end, ...counts },
      ];
      const lines = query['more'] === 'true' ? told : [...told, done];
      return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
  } as unknown as Answers;
}

async function choose(files: readonly File[], received: { identifier: string }[] = []) {
  const sent = fakeApi(answering(received));
  await draw(<Screen />);
  fireEvent.change(document.querySelector('input[type=file]') as Element, { target: { files } });
  return sent;
}

const yaml = (text: string, name = 'catalog-info.yaml') => new File([text], name);

test('files are planned before anything is written, and then written with their owners', async () => {
  const lines: { identifier: string }[] = [];
  const sent = await choose([yaml(documents)], lines);
  await screen.findByText('1 of 2 have an owner here');
  screen.getByText(/No team here is called nobody/);
  screen.getByText(/^metadata.name must be text/);
  screen.getByText('system:default/shop does not exist; "system" stays empty. Import it, or correct the reference.');
  const writes = ['createBlueprint', 'patchBlueprint', 'createSource', 'importLines'];
  expect(sent.filter(({ name }) => writes.includes(name))).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Import 3 entities' }));
  await screen.findByText('The catalog was imported');
  expect(lines.map(({ identifier }) => identifier)).toEqual(['cart', 'search', 'payments']);
  const names = sent.map(({ name }) => name);
  expect(names.indexOf('createBlueprint')).toBeLessThan(names.indexOf('importLines'));
  expect(names.lastIndexOf('patchBlueprint')).toBeLessThan(names.indexOf('importLines'));
});

test('a file of another kind is refused with what to choose', async () => {
  await choose([yaml('hello', 'notes.txt')]);
  expect((await screen.findByRole('alert')).textContent).toContain(
    '"notes.txt" is neither YAML nor a zip. Choose catalog-info.yaml files, or one zip of them.',
  );
});

test('an alias bomb and Locations in a circle are told, and the rest is planned', async () => {
  const doubled = Array.from({ length: 12 }, (_none, at) => `b${at + 1}: &b${at + 1} [${`*b${at},`.repeat(9)}]\n`);
  const bomb = `apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: bomb}\nb0: &b0 [x]\n${doubled.join('')}`;
  const circle =
    'apiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: {name: round}\nspec: {target: ./a.yaml}\n';
  await choose([yaml(bomb, 'bomb.yaml'), yaml(circle, 'a.yaml'), yaml(documents)]);
  await waitFor(() => screen.getByText(/repeats more than 100 parts by alias/));
  screen.getByRole('button', { name: 'Import 4 entities' });
});

test('files without a document say so, and there is nothing to import', async () => {
  await choose([yaml('on: push\n', 'workflow.yaml')]);
  await screen.findByText('No document of Backstage was found');
  expect(screen.getByRole('button', { name: 'Import 0 entities' }).hasAttribute('disabled')).toBe(true);
});
