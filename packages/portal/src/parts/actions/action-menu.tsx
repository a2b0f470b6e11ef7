import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Braces, Copy, Ellipsis, List, Pencil, Play, Trash2 } from 'lucide-react';
import { isAdmin, useSession } from '../../api/session.ts';
import { actionEditorAddress } from '../run-things.ts';
import type { StoredAction } from './stored-action.ts';
import { useDeleteAction } from './use-delete-action.ts';

/** What can be done with the definition of an action; for administrators alone. */
export function ActionMenu({
  action,
  isEditor = false,
}: {
  action: Pick<StoredAction, 'identifier' | 'title'>;
  /** Where it is edited already. */
  isEditor?: boolean;
}) {
  const { identifier, title } = action;
  const session = useSession();
  const deleting = useDeleteAction(
    'action',
    'Nobody can run it any more. Its runs stay. To hide it for a while, take “Published” away instead.',
    '/self-service',
  );
  if (!isAdmin(session)) return null;
  const name = encodeURIComponent(identifier);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          loading={deleting.isPending}
          aria-label={`More for ${title || identifier}`}
        >
          <Ellipsis size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isEditor && (
          <Menu.Item component={Link} to={actionEditorAddress(identifier)} leftSection={<Pencil size={16} />}>
            Edit
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to={`${actionEditorAddress(identifier)}?tab=json`}
          leftSection={<Braces size={16} />}
        >
          Edit JSON
        </Menu.Item>
        <Menu.Item component={Link} to={`/builder/new-action?from=${name}`} leftSection={<Copy size={16} />}>
          Duplicate
        </Menu.Item>
        <Menu.Item component={Link} to={`/runs?action=${name}`} leftSection={<Play size={16} />}>
          Runs
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={`/builder/audit?resource=action&identifier=${name}`}
          leftSection={<List size={16} />}
        >
          Audit log
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<Trash2 size={16} />} onClick={() => void deleting.ask(action)}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
