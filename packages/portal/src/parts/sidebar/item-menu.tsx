import { useRouterState } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, FolderInput, Pencil, TextCursorInput, Trash2 } from 'lucide-react';
import { MenuItemLink } from '../../frame/links.tsx';
import { useAttempt } from '../../kit/attempt.ts';
import { useDelete } from '../../kit/delete.ts';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { FavoriteItem } from '../favorites/favorite-star.tsx';
import { foldersFor, isFolder, movesTo, type Place, type SidebarItem, siblingsIn } from './sidebar-moves.ts';
import { sidebarReads, useSidebarWrites } from './sidebar-writes.ts';

/** The menu of a side bar entry; it can do everything that dragging can. */
export function ItemMenu({
  item,
  items,
  onRename,
}: {
  item: SidebarItem;
  items: readonly SidebarItem[];
  onRename: () => void;
}) {
  const { move } = useSidebarWrites();
  const attempt = useAttempt();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const name = item.title ?? item.identifier;
  const folders = foldersFor(items, item);
  const parent = folders.find(({ identifier }) => identifier === item.parent)?.identifier;
  const siblings = siblingsIn(items, parent);
  const at = siblings.indexOf(item);
  const goTo = (place: Place, done: string) => void attempt(() => move(movesTo(items, item, place)), done);
  const isThere = decodeURIComponent(path).startsWith(`/catalog/${item.identifier}`);
  const folder = useDelete('deleteFolder', { staleAfter: sidebarReads });
  const page = useDelete('deletePage', { staleAfter: sidebarReads, ...(isThere ? { leadsTo: '/' } : {}) });
  const drop = () =>
    isFolder(item)
      ? folder.ask({
          input: { params: { folder_identifier: item.identifier } },
          name,
          title: t('Delete the folder {name}', { name }),
          consequence: t('What lies in it moves to where the folder is. No page is deleted.'),
        })
      : page.ask({
          input: { params: { page_identifier: item.identifier } },
          name,
          title: t('Delete the page {name}', { name }),
          consequence: t('Its widgets and its rights go with it. Entities stay. This cannot be undone.'),
        });
  return (
    <>
      {!isFolder(item) && (
        <MenuItemLink
          to="/catalog/$page"
          params={{ page: item.identifier }}
          search={{ edit: 'widgets' }}
          leftSection={<Pencil size={14} />}
        >
          {t('Edit page')}
        </MenuItemLink>
      )}
      {item.sidebarType === 'page' && (
        <FavoriteItem
          favorite={{
            kind: 'page',
            identifier: item.identifier,
            title: name,
            ...(item.icon ? { icon: item.icon } : {}),
          }}
        />
      )}
      <Menu.Item leftSection={<TextCursorInput size={14} />} onClick={onRename}>
        {t('Rename')}
      </Menu.Item>
      <Menu.Item
        leftSection={<ArrowUp size={14} />}
        disabled={at <= 0}
        onClick={() => goTo({ parent, after: siblings[at - 2]?.identifier }, t('{name} moved up', { name }))}
      >
        {t('Move up')}
      </Menu.Item>
      <Menu.Item
        leftSection={<ArrowDown size={14} />}
        disabled={at === siblings.length - 1}
        onClick={() => goTo({ parent, after: siblings[at + 1]?.identifier }, t('{name} moved down', { name }))}
      >
        {t('Move down')}
      </Menu.Item>
      {parent !== undefined && (
        <Menu.Item
          leftSection={<FolderInput size={14} />}
          onClick={() =>
            goTo(
              { parent: undefined, after: lastSibling(items, undefined, item) },
              t('{name} left its folder', { name }),
            )
          }
        >
          {t('Out of the folder')}
        </Menu.Item>
      )}
      {folders
        .filter(({ identifier }) => identifier !== parent)
        .map((folder) => (
          <Menu.Item
            key={folder.identifier}
            leftSection={<FolderInput size={14} />}
            onClick={() =>
              goTo(
                { parent: folder.identifier, after: lastSibling(items, folder.identifier, item) },
                t('{name} lies in {title} now', { name, title: folder.title ?? folder.identifier }),
              )
            }
          >
            {t('Into {title}', { title: folder.title ?? folder.identifier })}
          </Menu.Item>
        ))}
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={() => void drop()}>
        {t('Delete')}
      </Menu.Item>
    </>
  );
}

function lastSibling(
  items: readonly SidebarItem[],
  parent: string | undefined,
  moved: SidebarItem,
): string | undefined {
  return siblingsIn(items, parent)
    .filter((each) => each !== moved)
    .at(-1)?.identifier;
}
