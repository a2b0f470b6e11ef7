import { ActionIcon } from '@mantine/core';
import { ArrowDown, ArrowUp, EllipsisVertical, GitBranch, MoveRight, Plus, Trash2 } from 'lucide-react';
import { use } from 'react';
import { Menu } from '../../../kit/menu.tsx';
import { ReadingOnly } from '../../../kit/reading-only.ts';
import { t } from '../../../kit/translate.ts';
import { type Definition, findNode, isBranching } from '../document/definition.ts';
import type { Line } from '../document/outline.ts';
import type { Selection } from './selection.ts';
import type { Builder } from './use-builder.ts';

/** What can be done at a line, for those who use no keys. */
export function NodeMenu({
  at,
  line,
  draft,
  builder,
}: {
  at: Selection;
  line: Line;
  draft: Definition;
  builder: Builder;
}) {
  if (use(ReadingOnly)) return null;
  const node = findNode(draft, at.node);
  if (!node) return null;
  const title = node.title || node.identifier;
  const isOutlet = at.way !== undefined && 'outlet' in at.way;
  const canRemove = line.kind === 'node' || isOutlet || line.kind === 'jump';
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon size={32} aria-label={t('Change {title}', { title })}>
          <EllipsisVertical size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Plus size={14} />} onClick={() => builder.askToAdd(at)}>
          {t('Add a step after')}
        </Menu.Item>
        {line.kind === 'node' && isBranching(node) && (
          <Menu.Item leftSection={<GitBranch size={14} />} onClick={() => builder.branch(at)}>
            {t('Add a branch')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<MoveRight size={14} />} onClick={() => builder.askToMove(at)}>
          {t('Lead elsewhere')}
        </Menu.Item>
        {isOutlet && line.kind === 'branch' && (
          <>
            <Menu.Item leftSection={<ArrowUp size={14} />} onClick={() => builder.reorder(-1, at)}>
              {t('Move up')}
            </Menu.Item>
            <Menu.Item leftSection={<ArrowDown size={14} />} onClick={() => builder.reorder(1, at)}>
              {t('Move down')}
            </Menu.Item>
          </>
        )}
        {canRemove && (
          <Menu.Item leftSection={<Trash2 size={14} />} onClick={() => builder.remove(at)}>
            {line.kind === 'jump' ? t('End here') : t('Remove')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
