import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { describe, expect, test } from 'vitest';
import { ArchiveError, openArchive } from '../src/index.ts';

const mebibyte = 1024 * 1024;

interface Packed {
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly options?: object;
}

async function pack(files: readonly Packed[]): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter());
  for (const { name, content, options } of files) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await writer.add(name, new Uint8ArrayReader(bytes), { useWebWorkers: false, ...options });
  }
  return writer.close();
}

/** The same archive with other bytes where some are. */
async function replaced(archive: Blob, from: string, to: string): Promise<Blob> {
  const text = Buffer.from(await archive.arrayBuffer()).toString('latin1');
  expect(text).toContain(from);
  return new Blob([Buffer.from(text.replaceAll(from, to), 'latin1')]);
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ArchiveError);
  return (error as ArchiveError).message;
};

describe('an archive', () => {
  test('tells its files, without folders and links, and reads each on demand', async () => {
    const archive = await openArchive(
      await pack([
        { name: 'shop/', content: '', options: { directory: true } },
        { name: 'shop/a.yaml', content: 'kind: Ä\n' },
        { name: 'shop/empty.yaml', content: '' },
        { name: 'shop/link', content: '/etc/passwd', options: { unixMode: 0o120777 } },
      ]),
    );
    expect(archive.files.map(({ path }) => path)).toEqual(['shop/a.yaml', 'shop/empty.yaml']);
    expect(await Promise.all(archive.files.map((file) => file.readText(100)))).toEqual(['kind: Ä\n', '']);
    expect(await archive.files[0]?.readText(8)).toBeUndefined();
    expect(await archive.files[0]?.readText(9)).toBe('kind: Ä\n');
  });

  test.each(['../evil.yaml', 'a/../../evil.yaml', '/etc/passwd', 'C:\\evil.yaml', 'a\\..\\..\\evil.yaml'])(
    'is refused if it names %s',
    async (name) => {
      // packed under a name of the same length, which the packer does not question
      const plain = 'x'.repeat(name.length);
      const archive = await replaced(await pack([{ name: plain, content: 'a' }]), plain, name);
      expect(await refusal(openArchive(archive))).toBe(
        `The archive names "${name}", which leads out of it. Nothing was read; pack it anew, with paths below one folder.`,
      );
    },
  );

  test('is unpacked no further than its limit, whatever it says of its size', async () => {
    const bomb = await pack([{ name: 'bomb', content: new Uint8Array(20 * mebibyte) }]);
    expect(bomb.size).toBeLessThan(100_000);
    const [file] = (await openArchive(bomb, { unpackedBytesMax: 2 * mebibyte })).files;
    let bytes = 0;
    const reading = (async () => {
      for await (const piece of file?.read() ?? []) bytes += piece.byteLength;
    })();
    expect(await refusal(reading)).toContain('more than 2 MiB');
    expect(bytes).toBeLessThanOrEqual(2 * mebibyte);
  });

  test('counts what is unpacked over all files', async () => {
    const half = new Uint8Array(mebibyte + 1);
    const files = [0, 1].map((index) => ({ name: `f${index}`, content: half }));
    const archive = await openArchive(await pack(files), { unpackedBytesMax: 2 * mebibyte });
    await archive.files[0]?.readText(2 * mebibyte);
    expect(await refusal(archive.files[1]?.readText(2 * mebibyte) as Promise<unknown>)).toContain('more than 2 MiB');
  });

  test('is refused with too many files, too many bytes or a password', async () => {
    const files = ['a', 'b', 'c'].map((name) => ({ name, content: name }));
    const three = await pack(files);
    expect(await refusal(openArchive(three, { filesMax: 2 }))).toContain('more than 2 files');
    expect(await refusal(openArchive(three, { packedBytesMax: three.size - 1 }))).toContain('MiB');
    const locked = await pack([{ name: 'a', content: 'a', options: { password: 'secret' } }]);
    expect(await refusal(openArchive(locked))).toContain('password');
  });

  test('that is none, was cut off or is damaged is told, and no half of it is taken for the whole', async () => {
    expect(await refusal(openArchive(new Blob(['kind: Component'])))).toContain('cannot be read');
    const whole = await pack([
      { name: 'a', content: 'the content of a file, as it was written', options: { level: 0 } },
    ]);
    expect(await refusal(openArchive(whole.slice(0, whole.size - 30)))).toContain('cannot be read');
    const damaged = await openArchive(await replaced(whole, 'as it was', 'as it is!'));
    expect(await refusal(damaged.files[0]?.readText(1000) as Promise<unknown>)).toContain('"a" in the archive');
  });
});
