import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import {
  type SourceItem,
  type SourcePage,
  SourceRefusal,
  type SourceType,
} from '../src/modules/sources/source-type.ts';

type Thing = Readonly<Record<string, JqValue>> & { readonly id: string };

/** A host of a test: what it holds, and what goes wrong with it. */
export interface ScriptedHost {
  things: Thing[];
  pageSize: number;
  /** Called before a page is answered. */
  onPage: (from: number) => void | Promise<void>;
  /** Keys that the next page says are gone. */
  gone: string[];
  /** Beginnings of keys that could not be read. */
  unread: string[];
  token: string;
  pagesRead: number;
}

export function createHost(things: Thing[] = []): ScriptedHost {
  return { things, pageSize: 3, onPage: () => undefined, gone: [], unread: [], token: 'right-token', pagesRead: 0 };
}

/** A kind of source that reads the host, `thing` by `thing`. */
export function scriptedSource(
  host: ScriptedHost,
  options: { readonly type?: string; readonly graceDays?: number } = {},
): SourceType {
  const { type = 'scripted', graceDays = 0 } = options;
  return {
    type,
    title: 'Scripted',
    summary: 'Things of a test',
    section: 'own',
    settings: z.object({}),
    secrets: [{ name: 'token', title: 'Token', required: true }],
    scheduleMinutes: 60,
    graceDays,
    blueprints: [
      {
        identifier: 'thing',
        title: 'Thing',
        schema: { properties: { size: { type: 'number' } }, required: [] },
        relations: { next: { title: 'Next', target: 'thing', required: false, many: false } },
      },
    ],
    defaultMapping: [
      {
        kind: 'thing',
        selector: { query: '.hidden != true' },
        port: {
          entity: {
            mappings: {
              identifier: '.id',
              title: '.title',
              blueprint: '"thing"',
              properties: { size: '.size' },
              relations: { next: '.next' },
            },
          },
        },
      },
    ],
    open: (_settings, secrets) => {
      const assertToken = (): void => {
        if (secrets['token'] === host.token) return;
        throw new SourceRefusal('credentials_refused', 'The host refuses the token', 'Replace the token');
      };
      return {
        check: async () => {
          assertToken();
          const checks = [{ name: 'credentials', state: 'passed', message: 'The token is right' }] as const;
          return { checks, sample: host.things.slice(0, 5).map(toItem), total: host.things.length };
        },
        readPage: async (_start, cursor) => {
          const from = typeof cursor === 'number' ? cursor : 0;
          assertToken();
          await host.onPage(from);
          host.pagesRead += 1;
          const to = from + host.pageSize;
          const page: SourcePage = {
            items: host.things.slice(from, to).map(toItem),
            gone: host.gone.map((key) => ({ key })),
            unread: host.unread,
            next: to < host.things.length ? to : null,
            requests: 1,
          };
          return page;
        },
      };
    },
  };
}

function toItem(document: Thing): SourceItem {
  const place = { url: `https://host.example/${document.id}` };
  return { key: `thing#${document.id}`, kind: 'thing', document, place };
}
