import type { TableFile } from '@portolan/tables';
import { t } from '../../kit/translate.ts';

/** A file of this machine. It stays there: only the rows are sent, as they are read. */
export function toTableFile(file: File): TableFile {
  return {
    name: file.name,
    blob: async () => file,
    async *open() {
      const reader = file.stream().getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          yield value;
        }
      } finally {
        await reader.cancel();
      }
    },
  };
}

export function pastedFile(text: string): TableFile {
  const bytes = new TextEncoder().encode(text);
  return {
    name: t('Pasted table'),
    async *open() {
      yield bytes;
    },
  };
}

/** The name as a title: without extension, and with spaces for what stands for them. */
export function readTitle(name: string): string {
  const words = name
    .replace(/\.[a-z]+$/i, '')
    .replaceAll(/[-_.\s]+/g, ' ')
    .trim();
  return words === '' ? t('Table') : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}
