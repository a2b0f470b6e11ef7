import { ArchiveError, openArchive } from '@portolan/archives';
import { type CatalogFiles, fileBytesMax } from '@portolan/backstage';
import { t } from '../../../kit/translate.ts';

const foreign = /(^|\/)(node_modules|\.git)\//;
const filesMax = 50_000;

/**
 * The files of a catalog from what a person chose: YAML files, zip archives, or both. Nothing leaves the browser.
 * @throws ArchiveError
 */
export async function readChosen(chosen: readonly File[]): Promise<CatalogFiles> {
  const texts = new Map<string, () => Promise<string | undefined>>();
  const isAlone = chosen.length === 1;
  const add = (path: string, read: () => Promise<string | undefined>) => {
    if (texts.size >= filesMax)
      throw new ArchiveError(t('There are more than {filesMax} files. Choose fewer.', { filesMax }));
    if (!foreign.test(path)) texts.set(texts.has(path) ? `${texts.size}/${path}` : path, read);
  };
  for (const file of chosen) {
    if (/\.ya?ml$/i.test(file.name)) {
      add(file.webkitRelativePath || file.name, async () =>
        file.size > fileBytesMax ? undefined : new TextDecoder().decode(await file.arrayBuffer()),
      );
    } else if (/\.zip$/i.test(file.name)) {
      const { files } = await openArchive(file);
      const folder = isAlone ? '' : `${file.name.replace(/\.zip$/i, '')}/`;
      for (const each of files) add(`${folder}${each.path}`, () => each.readText(fileBytesMax));
    } else {
      throw new ArchiveError(
        t('"{name}" is neither YAML nor a zip. Choose catalog-info.yaml files, or one zip of them.', {
          name: file.name,
        }),
      );
    }
  }
  return { paths: [...texts.keys()].sort(), readText: async (path) => texts.get(path)?.() };
}
