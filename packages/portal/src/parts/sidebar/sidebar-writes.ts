import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, call, type InputOf } from '../../api/api.ts';
import { writtenOf } from '../pages/written-page.ts';
import { isFolder, type Move, type SidebarItem } from './sidebar-moves.ts';

type Page = AnswerOf<'getPage'>['page'];

export const sidebarReads = ['getSidebar', 'getPage', 'listPages'] as const;

/** Writes of the side bar. Folders are replaced whole, and pages too, so what is not meant to change is sent along. */
export function useSidebarWrites() {
  const queries = useQueryClient();
  return {
    rename: async (item: SidebarItem, title: string) => {
      await written<unknown>(queries, () =>
        isFolder(item)
          ? call('patchFolder', {
              params: { folder_identifier: item.identifier },
              body: { title, parent: item.parent, after: item.after },
            })
          : changePage(item.identifier, { title }),
      );
    },
    move: async (moves: readonly Move[]) => {
      await written(queries, async () => {
        // one after the other: each waits for the same lock
        for (const { item, parent, after } of moves) {
          if (isFolder(item)) {
            await call('patchFolder', {
              params: { folder_identifier: item.identifier },
              body: { title: item.title, parent, after },
            });
          } else {
            await changePage(item.identifier, { parent, after });
          }
        }
      });
    },
    addFolder: async (body: InputOf<'createFolder'>['body']) => {
      await written(queries, () => call('createFolder', { body }));
    },
    addPage: async (body: InputOf<'createPage'>['body']): Promise<string> => {
      const { identifier } = await written(queries, () => call('createPage', { body }));
      return identifier;
    },
  };
}

/** What was read of the side bar is old afterwards, also where only a part was written. */
async function written<Answer>(queries: QueryClient, write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write();
  } finally {
    await Promise.all(sidebarReads.map((name) => queries.invalidateQueries({ queryKey: [name] })));
  }
}

/** Changes some keys of a page as it is now, and refuses to overwrite what somebody else saves at the same time. */
async function changePage(identifier: string, part: Partial<Record<keyof Page, string | undefined>>): Promise<void> {
  const params = { page_identifier: identifier };
  const { page } = await call('getPage', { params });
  const body = { ...writtenOf(page), ...part };
  const changed = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  await call('replacePage', { params, query: { expectedVersion: page.updatedAt }, body: changed });
}
