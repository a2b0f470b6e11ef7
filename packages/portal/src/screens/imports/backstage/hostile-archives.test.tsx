import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { fakeApi } from '../../../../test/fake-api.ts';
import { type WrittenEntry, writeZip } from '../../../../test/written-zip.ts';
import { Screen } from './backstage-files.screen.tsx';
import { readChosen } from './catalog-files.ts';

const component = `
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: cart}
spec: {type: service, lifecycle: production, owner: payments}
`;
const plain: WrittenEntry = { name: 'shop/catalog-info.yaml', content: component };
const zip = (entries: readonly WrittenEntry[], name = 'catalog.zip') => new File([writeZip(entries)], name);

async function choose(file: File) {
  const sent = fakeApi({
    listBlueprints: () => ({ ok: true, blueprints: [] }),
    getOwnOrganization: () => ({ ok: true, organization: { featureFlags: [] } }),
    searchBlueprintEntities: () => ({ ok: true, entities: [] }),
  } as never);
  await draw(<Screen />);
  fireEvent.change(document.querySelector('input[type=file]') as Element, { target: { files: [file] } });
  return sent;
}

test('an archive is read as it was written here', async () => {
  expect((await readChosen([zip([plain])])).paths).toEqual(['shop/catalog-info.yaml']);
});

test.each([
  ['a folder above', '../catalog-info.yaml'],
  ['a folder above the first', 'a/../../catalog-info.yaml'],
  ['a folder above at the end', 'a/..'],
  ['the root', '/etc/catalog-info.yaml'],
  ['the root, as Windows writes it', '\\etc\\catalog-info.yaml'],
  ['another machine', '\\\\host\\share\\catalog-info.yaml'],
  ['a drive', 'C:\\catalog-info.yaml'],
  ['a drive without its root', 'c:catalog-info.yaml'],
  ['a folder above, as Windows writes it', 'a\\..\\..\\catalog-info.yaml'],
  ['a folder above in both ways', 'a/..\\../catalog-info.yaml'],
  ['a name that ends before its end', 'catalog-info.yaml\0.png'],
])('an archive that names %s is refused whole, and nothing is sent', async (_name, name) => {
  const sent = await choose(zip([plain, { name, content: component }]));
  expect(await screen.findByText(/leads out of it\. Nothing was read/)).toBeTruthy();
  expect(sent).toEqual([]);
});

test('a link is no file, wherever it leads', async () => {
  const links = ['/etc/passwd', '../../secrets.yaml'].map((content, at) => ({
    name: `shop/link${at}.yaml`,
    content,
    mode: 0o120777,
  }));
  const { paths, readText } = await readChosen([zip([plain, ...links])]);
  expect(paths).toEqual([plain.name]);
  expect(await readText('shop/link0.yaml')).toBeUndefined();
});

test('too many entries are refused before any of them is read', async () => {
  const many = Array.from({ length: 60_000 }, (_none, at) => ({ name: `f${at}.yaml`, content: '' }));
  await choose(zip(many));
  expect(await screen.findByText(/has more than 50000 files/, {}, { timeout: 20_000 })).toBeTruthy();
});

test.each(['catalog.tar', 'catalog.tar.gz', 'catalog.tgz'])('%s is no form that is read', async (name) => {
  await choose(zip([plain], name));
  expect(await screen.findByText(/neither YAML nor a zip/)).toBeTruthy();
});

test('a tar that is called a zip is told', async () => {
  const header = Buffer.alloc(1024);
  header.write('../catalog-info.yaml');
  header.write('ustar', 257);
  await choose(new File([header], 'catalog.zip'));
  expect(await screen.findByText(/The archive cannot be read/)).toBeTruthy();
});
