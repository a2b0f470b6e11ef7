import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ArrowRightLeft, Braces, Ellipsis, List, Pencil, ShieldCheck, Trash2 } from 'lucide-react';
import { MenuItemLink } from '../../frame/links.tsx';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsItem } from '../../parts/access/needs.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { blueprintAddress, migrateDataAddress, permissionsAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { DeleteBlueprint } from './delete-blueprint.tsx';

/** The menu of a blueprint: the same on cards, in the list and in the editor. */
export function BlueprintMenu({ blueprint }: { blueprint: Pick<Blueprint, 'identifier' | 'title'> }) {
  const { identifier, title } = blueprint;
  const mayDelete = useMay('deleteBlueprint');
  const [isDeleting, { open, close }] = useDisclosure();
  const isSystem = identifier.startsWith('_');
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="lg" aria-label={t('More for {title}', { title })}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItemLink {...blueprintAddress(identifier)} leftSection={<Pencil size={16} />}>
            {t('Edit blueprint')}
          </MenuItemLink>
          <MenuItemLink {...permissionsAddress(identifier)} leftSection={<ShieldCheck size={16} />}>
            {t('Permissions')}
          </MenuItemLink>
          <MenuItemLink {...migrateDataAddress(identifier)} leftSection={<ArrowRightLeft size={16} />}>
            {t('Migrate data')}
          </MenuItemLink>
          <MenuItemLink {...blueprintAddress(identifier)} search={{ tab: 'json' }} leftSection={<Braces size={16} />}>
            {t('Edit JSON')}
          </MenuItemLink>
          <MenuItemLink to="/builder/audit" search={{ blueprint: identifier }} leftSection={<List size={16} />}>
            {t('Audit log')}
          </MenuItemLink>
          <Menu.Divider />
          <NeedsItem permit={mayDelete} to={t('delete the blueprint {title}', { title })}>
            <Menu.Item color="red" leftSection={<Trash2 size={16} />} disabled={isSystem} onClick={open}>
              {isSystem ? t('Delete blueprint (built in)') : t('Delete blueprint…')}
            </Menu.Item>
          </NeedsItem>
        </Menu.Dropdown>
      </Menu>
      <DeleteBlueprint blueprint={blueprint} isOpen={isDeleting} onClose={close} />
    </>
  );
}
