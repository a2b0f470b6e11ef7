import { ActionIcon } from '@mantine/core';
import { Braces, Copy, Ellipsis, List, Pencil, Play, Trash2 } from 'lucide-react';
import { isAdmin, useSession } from '../../api/session.ts';
import { MenuItemLink } from '../../frame/links.tsx';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { actionEditorAddress } from '../run-things.ts';
import type { StoredAction } from './stored-action.ts';
import { useDeleteAction } from './use-delete-action.ts';

/** The menu of an action's definition; for administrators only. */
export function ActionMenu({
  action,
  isEditor = false,
}: {
  action: Pick<StoredAction, 'identifier' | 'title'>;
  /** Set on the editor's own screen, which needs no edit entry. */
  isEditor?: boolean;
}) {
  const { identifier, title } = action;
  const session = useSession();
  const deleting = useDeleteAction(
    'action',
    t(
      'Nobody can run the action any more. Its runs stay. This cannot be undone. To hide it for a while, clear “Published” instead.',
    ),
    '/self-service',
  );
  if (!isAdmin(session)) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size={32}
          loading={deleting.isPending}
          aria-label={t('More for {title}', { title: title || identifier })}
        >
          <Ellipsis size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isEditor && (
          <MenuItemLink {...actionEditorAddress(identifier)} leftSection={<Pencil size={16} />}>
            {t('Edit')}
          </MenuItemLink>
        )}
        <MenuItemLink {...actionEditorAddress(identifier)} search={{ tab: 'json' }} leftSection={<Braces size={16} />}>
          {t('Edit JSON')}
        </MenuItemLink>
        <MenuItemLink to="/builder/new-action" search={{ from: identifier }} leftSection={<Copy size={16} />}>
          {t('Duplicate')}
        </MenuItemLink>
        <MenuItemLink to="/runs" search={{ action: identifier }} leftSection={<Play size={16} />}>
          {t('Runs')}
        </MenuItemLink>
        <MenuItemLink to="/builder/audit" search={{ resource: 'action', identifier }} leftSection={<List size={16} />}>
          {t('Audit log')}
        </MenuItemLink>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<Trash2 size={16} />} onClick={() => void deleting.ask(action)}>
          {t('Delete…')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
