import { type AnswerOf, call, type InputOf } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { toWrittenPage } from '../pages/written-page.ts';
import { isFolder, type Move, type SidebarItem } from './sidebar-moves.ts';

type Page = AnswerOf<'getPage'>['page'];

export const sidebarReads = ['getSidebar', 'getPage', 'listPages'] as const;

/** Writes of the side bar. The API replaces folders and pages as a whole, so unchanged fields are sent along. */
export function useSidebarWrites() {
  const refresh = useRefresh();
  /** Invalidates the side bar's reads, also after a partial failure. */
  const written = async <Answer>(write: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await write();
    } finally {
      await refresh(sidebarReads);
    }
  };
  return {
    rename: async (item: SidebarItem, title: string) => {
      await written<unknown>(() =>
        isFolder(item)
          ? call('patchFolder', {
              params: { folder_identifier: item.identifier },
              body: { title, parent: item.parent, after: item.after },
            })
          : changePage(item.identifier, { title }),
      );
    },
    move: async (moves: readonly Move[]) => {
      await written(async () => {
        // sequential: the writes contend for the same lock
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
      await written(() => call('createFolder', { body }));
    },
    addPage: async (body: InputOf<'createPage'>['body']): Promise<string> => {
      const { identifier } = await written(() => call('createPage', { body }));
      return identifier;
    },
  };
}

/** Changes some fields of a page as currently stored; fails if someone else saves at the same time. */
async function changePage(identifier: string, part: Partial<Record<keyof Page, string | undefined>>): Promise<void> {
  const params = { page_identifier: identifier };
  const { page } = await call('getPage', { params });
  const body = { ...toWrittenPage(page), ...part };
  const changed = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  await call('replacePage', { params, query: { expectedVersion: page.updatedAt }, body: changed });
}
