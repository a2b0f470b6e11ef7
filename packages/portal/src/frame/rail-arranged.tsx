import { FilePlus, FolderPlus, Plus } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { useAttempt } from '../kit/attempt.ts';
import { Menu } from '../kit/menu.tsx';
import { t } from '../kit/translate.ts';
import { ItemMenu } from '../parts/sidebar/item-menu.tsx';
import { SidebarDialog } from '../parts/sidebar/sidebar-dialog.tsx';
import type { SidebarQuestion } from '../parts/sidebar/sidebar-dialogs.tsx';
import {
  foldersFor,
  isFolder,
  movesTo,
  type Place,
  type SidebarItem,
  siblingsIn,
} from '../parts/sidebar/sidebar-moves.ts';
import { useSidebarWrites } from '../parts/sidebar/sidebar-writes.ts';
import classes from './rail-arranged.module.css';
import { RailMoreButton } from './rail-more-button.tsx';
import { RailMoreTypes } from './rail-more-types.tsx';
import { RailNodes } from './rail-node.tsx';
import { foldTypes, railTree } from './rail-tree.ts';

type Drop = 'above' | 'below' | 'into';

/** The pages of the rail, with a menu for each entry (also by keyboard) and drag and drop. */
export function RailArranged({ items, onGo }: { items: readonly SidebarItem[]; onGo?: (() => void) | undefined }) {
  const [question, setQuestion] = useState<SidebarQuestion>();
  const [isAsking, setAsking] = useState(false);
  const [dragged, setDragged] = useState<SidebarItem>();
  const [target, setTarget] = useState<{ item: SidebarItem; side: Drop }>();
  const { move } = useSidebarWrites();
  const attempt = useAttempt();
  const ask = (asked: SidebarQuestion) => {
    setQuestion(asked);
    setAsking(true);
  };
  const drop = async () => {
    if (!dragged || !target) return;
    const place = dropPlace(items, dragged, target.item, target.side);
    const name = dragged.title ?? dragged.identifier;
    setDragged(undefined);
    setTarget(undefined);
    await attempt(() => move(movesTo(items, dragged, place)), t('{name} was moved', { name }));
  };
  const { kept, folded } = foldTypes(railTree(items));
  const around = (item: SidebarItem, entry: React.ReactNode) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is for pointers; the menu moves without one
    <div
      className={classes.entry}
      data-entry
      data-drop={dragged && target?.item === item ? target.side : undefined}
      draggable
      onDragStart={(event) => {
        event.stopPropagation();
        event.dataTransfer.effectAllowed = 'move';
        setDragged(item);
      }}
      onDragEnd={() => {
        setDragged(undefined);
        setTarget(undefined);
      }}
      onDragOver={(event) => {
        // the entries of a folder are nested inside its element
        event.stopPropagation();
        if (!dragged || dragged === item) return;
        const side = dropSide(event, isFolder(item) && foldersFor(items, dragged).includes(item));
        event.preventDefault();
        if (target?.item !== item || target.side !== side) setTarget({ item, side });
      }}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void drop();
      }}
    >
      {entry}
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <RailMoreButton aria-label={t('More for {title}', { title: item.title ?? item.identifier })} />
        </Menu.Target>
        <Menu.Dropdown>
          <ItemMenu item={item} items={items} onRename={() => ask({ kind: 'rename', item })} />
        </Menu.Dropdown>
      </Menu>
    </div>
  );
  return (
    <>
      <RailNodes nodes={kept} onGo={onGo} around={around} />
      <RailMoreTypes nodes={folded}>{(shown) => <RailNodes nodes={shown} onGo={onGo} around={around} />}</RailMoreTypes>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <button type="button" className={classes.add} data-item tabIndex={-1}>
            <Plus size={16} aria-hidden="true" />
            {t('Add a page or folder')}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<FilePlus size={14} />} onClick={() => ask({ kind: 'page' })}>
            {t('New page')}
          </Menu.Item>
          <Menu.Item leftSection={<FolderPlus size={14} />} onClick={() => ask({ kind: 'folder' })}>
            {t('New folder')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SidebarDialog
        key={question?.kind === 'rename' ? question.item.identifier : question?.kind}
        question={question}
        items={items}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

const lineHeight = 32;

function dropSide(event: DragEvent<HTMLElement>, canHold: boolean): Drop {
  const { top } = event.currentTarget.getBoundingClientRect();
  const y = (event.clientY - top) / lineHeight;
  if (canHold && y > 0.25 && y < 0.75) return 'into';
  return y < 0.5 ? 'above' : 'below';
}

/** The place of an entry after it is dropped on another one. */
function dropPlace(items: readonly SidebarItem[], moved: SidebarItem, onto: SidebarItem, side: Drop): Place {
  const parent = items.some((each) => isFolder(each) && each.identifier === onto.parent) ? onto.parent : undefined;
  const within = side === 'into' ? onto.identifier : parent;
  const others = siblingsIn(items, within).filter((each) => each !== moved);
  if (side === 'into') return { parent: within, after: others.at(-1)?.identifier };
  const at = others.indexOf(onto);
  return { parent: within, after: side === 'below' ? onto.identifier : others[at - 1]?.identifier };
}
