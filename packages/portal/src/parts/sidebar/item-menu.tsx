import { Menu } from '@mantine/core';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, FolderInput, Pencil, TextCursorInput, Trash2 } from 'lucide-react';
import { useConfirm } from '../confirm.tsx';
import { useToast } from '../toasts.tsx';
import { foldersFor, isFolder, movesTo, type Place, type SidebarItem, siblingsIn } from './sidebar-moves.ts';
import { useSidebarWrites } from './sidebar-writes.ts';

/** What can be done with an entry of the side bar, without a pointer too. */
export function ItemMenu({
  item,
  items,
  onRename,
}: {
  item: SidebarItem;
  items: readonly SidebarItem[];
  onRename: () => void;
}) {
  const { move, remove } = useSidebarWrites();
  const confirm = useConfirm();
  const toast = useToast();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const name = item.title ?? item.identifier;
  const folders = foldersFor(items, item);
  const parent = folders.find(({ identifier }) => identifier === item.parent)?.identifier;
  const siblings = siblingsIn(items, parent);
  const at = siblings.indexOf(item);
  const attempt = async (work: () => Promise<void>, done: string) => {
    try {
      await work();
      toast(done);
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    }
  };
  const goTo = (place: Place, done: string) => void attempt(() => move(movesTo(items, item, place)), done);
  const drop = async () => {
    const isSure = await confirm({
      title: `Delete ${isFolder(item) ? 'the folder' : 'the page'} ${name}`,
      consequence: isFolder(item)
        ? 'What lies in it moves to where the folder is. No page is deleted.'
        : 'Its widgets and its rights go with it. Entities stay. This cannot be undone.',
      verb: 'Delete',
      isDangerous: true,
    });
    if (!isSure) return;
    await attempt(() => remove(item), `${name} was deleted`);
    if (!isFolder(item) && decodeURIComponent(path).startsWith(`/catalog/${item.identifier}`))
      void navigate({ to: '/' });
  };
  return (
    <>
      {!isFolder(item) && (
        <Menu.Item
          component={Link}
          to={`/catalog/${encodeURIComponent(item.identifier)}/edit`}
          leftSection={<Pencil size={14} />}
        >
          Edit page
        </Menu.Item>
      )}
      <Menu.Item leftSection={<TextCursorInput size={14} />} onClick={onRename}>
        Rename
      </Menu.Item>
      <Menu.Item
        leftSection={<ArrowUp size={14} />}
        disabled={at <= 0}
        onClick={() => goTo({ parent, after: siblings[at - 2]?.identifier }, `${name} moved up`)}
      >
        Move up
      </Menu.Item>
      <Menu.Item
        leftSection={<ArrowDown size={14} />}
        disabled={at === siblings.length - 1}
        onClick={() => goTo({ parent, after: siblings[at + 1]?.identifier }, `${name} moved down`)}
      >
        Move down
      </Menu.Item>
      {parent !== undefined && (
        <Menu.Item
          leftSection={<FolderInput size={14} />}
          onClick={() => goTo({ parent: undefined, after: lastOf(items, undefined, item) }, `${name} left its folder`)}
        >
          Out of the folder
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
                { parent: folder.identifier, after: lastOf(items, folder.identifier, item) },
                `${name} lies in ${folder.title ?? folder.identifier} now`,
              )
            }
          >
            Into {folder.title ?? folder.identifier}
          </Menu.Item>
        ))}
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={() => void drop()}>
        Delete
      </Menu.Item>
    </>
  );
}

function lastOf(items: readonly SidebarItem[], parent: string | undefined, moved: SidebarItem): string | undefined {
  return siblingsIn(items, parent)
    .filter((each) => each !== moved)
    .at(-1)?.identifier;
}
